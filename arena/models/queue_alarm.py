from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class QueueAlarm(models.Model):
    """A time in which the oldest thing of the queue had waited too long; at most one goes on.

    `oldest_s` is how long the oldest had waited when it was last looked at.
    """

    goes_on = models.BooleanField(_("goes on"), default=True)
    began_at = models.DateTimeField(_("began"))
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    oldest_s = models.FloatField(_("oldest wait (s)"))

    class Meta:
        ordering = ["-began_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["goes_on"], condition=Q(goes_on=True), name="queue_alarm_one_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(goes_on=True, ended_at__isnull=True)
                | Q(goes_on=False, ended_at__isnull=False),
                name="queue_alarm_ended_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"queue alarm of {self.began_at:%Y-%m-%d %H:%M}"
