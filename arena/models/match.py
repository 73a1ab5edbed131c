from collections.abc import Collection
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from arena.models import keyset
from arena.models.ladder import Ladder
from arena.models.leased import Leased, LeasedQuerySet
from arena.models.match_secrets import SECRET_LENGTH, new_secret
from arena.models.public_ids import new_match_id
from arena.models.tournament import Release, Tournament, TournamentStatus
from arena.models.tournament_round import Pairing, TournamentRound
from arena.models.user import ANYBODY, Viewer, is_staff, sees_unannounced
from arena.models.version import Version
from engine import chance

SEARCHED = 100  # matches of a bot, before the latest ones that are asked for are found


class MatchStatus(models.TextChoices):
    """The states of a match. `finished`, `failed` and `cancelled` are final."""

    CREATED = "created", _("created")
    QUEUED = "queued", _("queued")
    LEASED = "leased", _("leased")
    RUNNING = "running", _("running")
    RETRYING = "retrying", _("retrying")
    FINISHED = "finished", _("finished")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


class MatchKind(models.TextChoices):
    """The kinds of matches. Only matches of the ladder itself are rated."""

    LADDER = "ladder", _("rated")
    CHALLENGE = "challenge", _("challenge")
    TRIAL = "trial", _("trial of a version")
    PROBE = "probe", _("probe of a version")
    TOURNAMENT = "tournament", _("tournament")
    PERSON = "person", _("game of a person")


# Most matches are of the ladder and finished: an index of the others is small.
_OTHER_THAN_LADDER = [kind for kind in MatchKind.values if kind != MatchKind.LADDER]
# What its index has: one of a large table is not built again for a kind that is asked for seldom.
_OF_BOTS_UNRATED = [kind for kind in _OTHER_THAN_LADDER if kind != MatchKind.PERSON]
_OTHER_THAN_FINISHED = [status for status in MatchStatus.values if status != MatchStatus.FINISHED]


def visible(viewer: Viewer, *, match: str = "") -> Q:
    """Return the condition that the viewer may see a match, with who plays it.

    `match` is the lookup prefix from another model to the match. Nobody sees an unannounced match,
    except staff with the permission. Of the others, the column `release` alone decides, unless the
    viewer may see restricted rounds.
    """
    announced = Q() if sees_unannounced(viewer) else _announced(match)
    if is_staff(viewer):
        return announced
    public = Q(**{f"{match}release": Release.PUBLIC})
    rounds = TournamentRound.objects.restricted_but_visible_to(viewer)
    released = public | Q(**{f"{match}pairing__round__in": rounds}) if rounds else public
    return released & announced


def _announced(match: str) -> Q:
    """Return the condition that a match is announced: the opposite of `Match.is_unannounced`."""
    return (
        Q(**{f"{match}kind__in": _OTHER_THAN_LADDER})
        | Q(**{f"{match}taken_at__isnull": False})
        | Q(**{f"{match}started_at__isnull": False})
    )


class MatchQuerySet(LeasedQuerySet["Match"]):
    """Selections of matches. An open match may still be played."""

    def visible_to(self, viewer: Viewer) -> Self:
        """Return the matches that the viewer may see, with who plays them."""
        return self.filter(visible(viewer))

    def unannounced(self) -> Self:
        """Return the rated matches that no runner has begun (`Match.is_unannounced`)."""
        return self.exclude(_announced(""))

    def runnable(self) -> Self:
        """Return the waiting matches, except those of tournaments that are paused or cancelled."""
        stopped = (TournamentStatus.PAUSED, TournamentStatus.CANCELLED)
        idle = Pairing.objects.filter(round__tournament__status__in=stopped)
        return self.waiting().exclude(pairing__in=idle)

    def of_bots(self) -> Self:
        """Return the matches without those of persons and remote bots.

        Runners play these beside all others.
        """
        return self.exclude(kind=MatchKind.PERSON).filter(ladder__is_remote=False)

    def finished(self) -> Self:
        """Return the matches that have a result."""
        return self.filter(status=MatchStatus.FINISHED)

    def rated(self) -> Self:
        """Return the matches that count for their ladder once they are finished."""
        return self.filter(kind=MatchKind.LADDER, annulment__isnull=True)

    def not_cancelled(self) -> Self:
        """Return the matches that were not cancelled."""
        return self.exclude(status=MatchStatus.CANCELLED)

    def of_ladder(self, ladder: Ladder) -> Self:
        """Return the matches of the ladder itself, including annulled ones."""
        return self.filter(ladder=ladder, kind=MatchKind.LADDER)

    def of_tournament(self, tournament: Tournament) -> Self:
        """Return the matches of a tournament."""
        return self.filter(pairing__round__tournament=tournament)

    def downloadable(self) -> Self:
        """Return the finished matches whose records everybody may have, without annulled ones."""
        return self.finished().filter(visible(ANYBODY), release=Release.PUBLIC, annulment=None)

    def withdrawn_from_file(self) -> Self:
        """Return the matches in files of records that not everybody may have any more."""
        withdrawn = ~Q(release=Release.PUBLIC) | Q(annulment__isnull=False)
        return self.filter(withdrawn, record_file__isnull=False)

    def not_rerun(self) -> Self:
        """Return the matches without a re-run."""
        return self.filter(reruns=None)

    def for_display(self) -> Self:
        """Load everything that pages show: ladder, entrants, bots, owners and games."""
        rows = self.select_related("ladder")
        return rows.prefetch_related("entrants__version__bot__owner", "games")

    def latest_of(self, *, versions: Collection[int], limit: int) -> list["Match"]:
        """Return the latest of these matches in which some versions play, newest first."""
        searched = SEARCHED
        while True:
            latest = MatchEntrant.objects.newest(versions=versions, count=searched)
            matches = list(latest.values_list("match", flat=True))
            rows = list(self.filter(pk__in=matches).order_by("-pk")[:limit])
            if len(rows) == limit or len(matches) < searched:
                return rows
            searched *= 10  # nearly all of the latest are not among these matches


class Match(Leased):
    """The unit that is scheduled and rated: entrants, a game for each seating, one result.

    A rated match is unannounced until a runner takes it for the first time: `visible_to` leaves it
    out, so that nobody learns who plays it. `arena.domain.matches.unannounced` shows the rest.
    Every kind of match uses the rules and the clock of its ladder. A finished rated match has a
    finish number, its position in the order of rating, and keeps it if it is annulled. A match of a
    tournament is the `leg`-th of its pairing, and its `release` is that of the round. A match of a
    trial belongs to the `trial_pair`-th comparison of the trial. All chance follows from `secret`
    (`engine.chance`), which nobody sees before the match is over; that of a match of a tournament
    follows from the tournament's and from `place`. `record_file` is the published file that has the
    records of the match.
    """

    Status = MatchStatus
    WAITING = (MatchStatus.CREATED, MatchStatus.QUEUED, MatchStatus.RETRYING)
    IN_WORK = (MatchStatus.LEASED, MatchStatus.RUNNING)
    OPEN = (*WAITING, *IN_WORK)

    public_id = models.CharField(
        max_length=32, unique=True, default=new_match_id, editable=False, verbose_name=_("id")
    )
    ladder = models.ForeignKey(
        Ladder, on_delete=models.PROTECT, related_name="matches", db_index=False
    )
    kind = models.CharField(_("kind"), max_length=16, choices=MatchKind, default=MatchKind.LADDER)
    status = models.CharField(
        _("status"), max_length=16, choices=MatchStatus, default=MatchStatus.CREATED
    )
    secret = models.CharField(
        max_length=SECRET_LENGTH, blank=True, default=new_secret, editable=False
    )
    place = models.CharField(max_length=80, blank=True, default="", editable=False)
    finish_number = models.PositiveBigIntegerField(null=True, blank=True, editable=False)
    failure = models.TextField(_("what failed"), blank=True, default="")
    rerun_of = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="reruns"
    )
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="requested_matches",
    )
    trial = models.ForeignKey(
        "arena.VersionTrial",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="matches",
    )
    trial_pair = models.PositiveIntegerField(null=True, blank=True, editable=False)
    pairing = models.ForeignKey(
        "arena.Pairing", on_delete=models.PROTECT, null=True, blank=True, related_name="matches"
    )
    leg = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    release = models.CharField(
        _("who sees it"), max_length=16, choices=Release, default=Release.PUBLIC, editable=False
    )
    annulment = models.ForeignKey(
        "arena.Annulment", on_delete=models.PROTECT, null=True, blank=True, related_name="matches"
    )
    record_file = models.ForeignKey(
        "arena.RecordFile",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="matches",
    )
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True, db_index=True)

    objects = MatchQuerySet.as_manager()

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
                condition=~Q(status="finished") | Q(finished_at__isnull=False),
                name="match_finished_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(finish_number__isnull=True) | Q(status="finished", kind="ladder"),
                name="match_numbered_is_rated",
            ),
            models.CheckConstraint(condition=Q(kind__in=MatchKind.values), name="match_kind_known"),
            models.CheckConstraint(
                condition=Q(annulment__isnull=True) | Q(finish_number__isnull=False),
                name="match_annulled_was_rated",
            ),
            models.CheckConstraint(
                condition=Q(kind="trial", trial__isnull=False, trial_pair__isnull=False)
                | (~Q(kind="trial") & Q(trial__isnull=True, trial_pair__isnull=True)),
                name="match_of_a_trial",
            ),
            models.CheckConstraint(
                condition=Q(kind="tournament", pairing__isnull=False, leg__isnull=False)
                | (
                    ~Q(kind="tournament")
                    & Q(pairing__isnull=True, leg__isnull=True, release="public")
                ),
                name="match_of_a_tournament",
            ),
            models.CheckConstraint(
                condition=Q(release__in=Release.values), name="match_release_known"
            ),
            models.UniqueConstraint(
                fields=["pairing", "leg"],
                condition=Q(rerun_of__isnull=True, pairing__isnull=False),
                name="match_leg_once",
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
            models.Index(
                fields=["ladder", "finished_at", "id"],
                condition=Q(status="finished", kind="ladder", finish_number=None),
                name="match_unnumbered",
            ),
            models.Index(
                fields=["status", "-created_at"],
                condition=Q(status__in=_OTHER_THAN_FINISHED),
                name="match_unfinished_newest",
            ),
            models.Index(
                fields=["ladder", "kind", "queued_at"],
                condition=Q(status__in=["created", "queued", "retrying"]),
                name="match_waiting",
            ),
            models.Index(fields=["ladder", "-created_at"], name="match_ladder_newest"),
            models.Index(
                fields=["kind", "-created_at"],
                condition=Q(kind__in=_OF_BOTS_UNRATED),
                name="match_unrated_kind_newest",
            ),
            models.Index(
                fields=["-taken_at"], condition=Q(taken_at__isnull=False), name="match_taken"
            ),
            models.Index(
                fields=["-created_at"],
                condition=~Q(kind="ladder") | Q(annulment__isnull=False),
                name="match_unrated_newest",
            ),
            models.Index(
                fields=["ladder", "finished_at"],
                condition=Q(
                    status="finished",
                    release="public",
                    annulment__isnull=True,
                    record_file__isnull=True,
                ),
                name="match_unfiled",
            ),
            models.Index(
                fields=["record_file"],
                condition=Q(record_file__isnull=False)
                & (~Q(release="public") | Q(annulment__isnull=False)),
                name="match_filed_but_withdrawn",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        """Return the URL of the match's page."""
        return reverse("match", args=[self.public_id])

    @property
    def is_unannounced(self) -> bool:
        """Whether it is a match of a ladder that no runner has begun, so its bots are secret."""
        return self.kind == MatchKind.LADDER and self.taken_at is None and self.started_at is None

    @cached_property
    def commitment(self) -> str:
        """Return what everybody may know of the secret at any time; empty without a secret."""
        return chance.match_commitment(self.secret, match=self.public_id) if self.secret else ""

    @property
    def shown_secret(self) -> str:
        """The secret once the match is over, for whoever may see the match; before, nothing."""
        return "" if self.is_open else self.secret

    @property
    def is_rated(self) -> bool:
        """Whether it counts for the ladder once it is finished."""
        return self.kind == MatchKind.LADDER and self.annulment_id is None


class MatchEntrantQuerySet(models.QuerySet["MatchEntrant"]):
    """Selections of entrants of matches."""

    def newest(self, *, versions: Collection[int], count: int) -> Self:
        """Return those of the latest matches of some versions, so many, newest first."""
        of = Version.objects.filter(pk__in=versions)
        return keyset.latest(self, of=of, column="match_id", count=count)


class MatchEntrant(models.Model):
    """A version in a match. `points` is the sum over its games once the match is finished.

    In a game it gets the points of its side once, even if it has several seats of the side.
    """

    match = models.ForeignKey(
        Match, on_delete=models.CASCADE, related_name="entrants", db_index=False
    )
    position = models.PositiveSmallIntegerField()
    version = models.ForeignKey(
        Version, on_delete=models.PROTECT, related_name="match_entries", db_index=False
    )
    points = models.FloatField(_("points"), null=True, blank=True)

    objects = MatchEntrantQuerySet.as_manager()

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
        indexes = [models.Index(fields=["version", "-match"], name="entrant_latest_matches")]

    def __str__(self) -> str:
        return f"{self.version} in {self.match}"
