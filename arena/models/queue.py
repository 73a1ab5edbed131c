from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class QueueAlarm(models.Model):
    """A period in which the oldest job had waited too long. At most one alarm is on.

    `oldest_s` is the longest wait at the latest check.
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


class QueueShare(models.Model):
    """A ladder, a tournament or a kind of job, which has a fair share of the runners.

    `used_s` is its account of runner-seconds, and `begun_s` the account when its latest job was
    taken. `job_s` is the expected duration of its jobs, and `clock_s` what the clocks of all bots
    of a match are expected to be charged. `arena.domain.queue.scheduling` describes the accounts. A
    lost account disturbs the fairness for a minute at most.
    """

    name = models.CharField(max_length=40, unique=True)
    used_s = models.FloatField(default=0.0)
    begun_s = models.FloatField(default=0.0)
    job_s = models.FloatField(default=10.0)
    clock_s = models.FloatField(default=10.0, db_default=10.0)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class RunnerReport(models.Model):
    """What the runners of this site can play, as the latest report has it. One row at most.

    `languages` are names of `botkit.languages`. Without `takes_uploads` they play only bots that
    the operator trusts, because nothing contains the others.
    """

    languages = models.JSONField(default=list)
    takes_uploads = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(pk=1), name="runner_report_single"),
        ]

    def __str__(self) -> str:
        return ", ".join(self.languages)


class RunnerFigures(models.Model):
    """What a runner last reported of itself, for operators and for the length of the queue.

    `slots` is how many jobs it takes at once, and `busy` how many of them have one. `launcher` has
    the figures of its launcher service (`sandbox.launcher.wire.Figures`), or None without one.
    `in_trouble` says that something keeps its host from taking jobs; its log says what.
    """

    runner = models.CharField(max_length=255, unique=True)
    reported_at = models.DateTimeField(db_index=True)
    slots = models.PositiveIntegerField()
    busy = models.PositiveIntegerField()
    clock_skew_s = models.FloatField()
    launcher = models.JSONField(null=True)
    in_trouble = models.BooleanField(default=False)

    class Meta:
        ordering = ["runner"]

    def __str__(self) -> str:
        return self.runner
