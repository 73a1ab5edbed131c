from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from arena.models.ladder import Ladder
from arena.models.public_ids import new_trial_id
from arena.models.version import Version


class TrialStatus(models.TextChoices):
    """The states of a trial. All except `running` are final."""

    RUNNING = "running", _("running")
    BETTER = "better", _("better")
    WORSE = "worse", _("worse")
    UNKNOWN = "unknown", _("not yet known")
    CANCELLED = "cancelled", _("cancelled")


class VersionTrial(models.Model):
    """A sequential test of whether a version is better than another version of its bot.

    Its matches are unrated pairs of games. `counts` has the counts of results for each kind of
    evidence, which `botkit.sprt` judges. `margin` is the difference that the test looks
    for, in normalized Elo; it is None for old trials, which were judged in plain Elo. `llr` is the
    LLR of "better" against "no difference". `panel` has the ids of versions of other bots against
    which both versions play.
    """

    public_id = models.CharField(
        max_length=32, unique=True, default=new_trial_id, editable=False, verbose_name=_("id")
    )
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="trials")
    against = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="+")
    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="trials")
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    activates = models.BooleanField(_("activate it if it is better"), default=False)
    status = models.CharField(
        _("status"), max_length=16, choices=TrialStatus, default=TrialStatus.RUNNING
    )
    margin = models.FloatField(_("margin in normalized Elo"), null=True, editable=False)
    panel = models.JSONField(default=list, blank=True)
    counts = models.JSONField(default=dict, blank=True)
    games = models.PositiveIntegerField(_("games"), default=0)
    llr = models.FloatField(_("log-likelihood ratio"), default=0.0)
    detail = models.TextField(_("detail"), blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    activated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=TrialStatus.values), name="trial_status_known"
            ),
            models.UniqueConstraint(
                fields=["version", "ladder"],
                condition=Q(status="running"),
                name="trial_once_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(status="running", ended_at__isnull=True)
                | (~Q(status="running") & Q(ended_at__isnull=False)),
                name="trial_ended_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"trial of {self.version} against v{self.against.number}"
