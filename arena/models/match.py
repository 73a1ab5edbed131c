from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.models.ladder import Ladder
from arena.models.leased import Leased
from arena.models.public_ids import new_match_id
from arena.models.version import Version


class MatchStatus(models.TextChoices):
    """The run states. `finished`, `failed` and `cancelled` are for ever."""

    CREATED = "created", _("created")
    QUEUED = "queued", _("queued")
    LEASED = "leased", _("leased")
    RUNNING = "running", _("running")
    RETRYING = "retrying", _("retrying")
    FINISHED = "finished", _("finished")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


OPEN_STATUSES = ("created", "queued", "leased", "running", "retrying")


class Match(Leased):
    """The unit that is scheduled and rated: entrants, a game for each seating, one result."""

    Status = MatchStatus

    public_id = models.CharField(
        max_length=32, unique=True, default=new_match_id, editable=False, verbose_name=_("id")
    )
    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="matches")
    status = models.CharField(
        _("status"), max_length=16, choices=MatchStatus, default=MatchStatus.CREATED
    )
    rng_seed = models.BigIntegerField(editable=False)
    finish_number = models.PositiveBigIntegerField(null=True, blank=True, editable=False)
    failure = models.TextField(_("what failed"), blank=True, default="")
    rerun_of = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="reruns"
    )
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True, db_index=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name_plural = _("matches")
        constraints = [
            models.UniqueConstraint(
                fields=["ladder", "finish_number"],
                condition=Q(finish_number__isnull=False),
                name="match_finish_number_once",
            ),
            models.CheckConstraint(
                condition=Q(status__in=MatchStatus.values), name="match_status_known"
            ),
            models.CheckConstraint(
                condition=Q(
                    status="finished", finish_number__isnull=False, finished_at__isnull=False
                )
                | (~Q(status="finished") & Q(finish_number__isnull=True)),
                name="match_numbered_when_finished",
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["leased", "running"])
                | (~Q(lease_token="") & Q(lease_until__isnull=False)),
                name="match_in_work_is_leased",
            ),
            models.CheckConstraint(
                condition=~Q(status="failed") | ~Q(failure=""), name="match_failed_with_reason"
            ),
        ]
        indexes = [
            models.Index(fields=["status", "queued_at"], name="match_status_queued"),
            models.Index(fields=["ladder", "-finish_number"], name="match_ladder_finish"),
        ]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        """Give the address of the match's page."""
        return reverse("match", args=[self.public_id])

    @property
    def is_open(self) -> bool:
        """Whether the match may still be played."""
        return self.status in OPEN_STATUSES


class MatchEntrant(models.Model):
    """A version in a match. `points` is the sum over its games, once the match is finished.

    In a game it has the points of its side once, however many seats of the side it holds.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="entrants")
    position = models.PositiveSmallIntegerField()
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="match_entries")
    points = models.FloatField(_("points"), null=True, blank=True)

    class Meta:
        ordering = ["match", "position"]
        constraints = [
            models.UniqueConstraint(fields=["match", "position"], name="entrant_position_once"),
            models.UniqueConstraint(fields=["match", "version"], name="entrant_version_once"),
            models.CheckConstraint(
                condition=Q(points__isnull=True) | Q(points__gte=0),
                name="entrant_points_not_below_0",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version} in {self.match}"
