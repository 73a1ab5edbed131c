from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from arena.models.bot import Bot
from arena.models.ladder import Ladder
from arena.models.match_secrets import SECRET_LENGTH, new_secret
from arena.models.user import User, Viewer, is_staff
from arena.models.version import Version
from engine import chance


class TournamentStatus(models.TextChoices):
    """The states of a tournament. `released` and `cancelled` are final."""

    DRAFT = "draft", _("draft")
    REGISTRATION = "registration", _("registration")
    FROZEN = "frozen", _("frozen")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    COMPLETED = "completed", _("completed")
    RELEASED = "released", _("released")
    CANCELLED = "cancelled", _("cancelled")


class EntryPolicy(models.TextChoices):
    """Who may enter. Organizers may always enter bots themselves before the freeze."""

    OPEN = "open", _("everybody")
    INVITED = "invited", _("who is invited")
    LADDER = "ladder", _("the best of the ladder")
    LISTED = "listed", _("the organizers' list")


class Release(models.TextChoices):
    """Who may see a round: its pairings, matches and results. Organizers and staff see all."""

    HIDDEN = "hidden", _("nobody yet")
    ENTRANTS = "entrants", _("owners of entrants")
    PUBLIC = "public", _("everybody")


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def visible_to(self, viewer: Viewer) -> Self:
        """Return the tournaments that the viewer may see.

        Only organizers and staff may see drafts, tournaments cancelled as drafts, and rehearsals.
        """
        if is_staff(viewer):
            return self.all()
        opened = self.model.objects.filter(log__action="opened").values("pk")
        ended_as_draft = Q(status=TournamentStatus.CANCELLED) & ~Q(pk__in=opened)
        visible = ~Q(status=TournamentStatus.DRAFT) & ~ended_as_draft & Q(rehearsal_of__isnull=True)
        if isinstance(viewer, User) and viewer.is_active:
            visible |= Q(pk__in=viewer.organized_tournaments.values("pk"))
        return self.filter(visible)


class Tournament(models.Model):
    """A finite event: bots with pinned versions meet in rounds, on the terms of a ladder.

    Its matches are unrated. `format` and `format_options` define the pairings, `scoring` the points
    of a game, and `tie_breaks` the order of entrants with equal points; `arena.domain.formats`
    interprets all four. A pairing has `matches_per_pairing` matches. All chance comes from
    `secret` (`engine.chance`): its commitment is public from the opening on, it itself from the
    release on. `revision` grows with every change that matters to a decision of organizers.
    `release` is the initial release of a new round.
    """

    Status = TournamentStatus
    OVER = (TournamentStatus.COMPLETED, TournamentStatus.RELEASED, TournamentStatus.CANCELLED)

    slug = models.SlugField(_("short name"), max_length=50, unique=True)
    name = models.CharField(_("name"), max_length=80)
    description = models.TextField(_("description"), blank=True, default="", max_length=5000)
    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="tournaments")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="created_tournaments"
    )
    organizers = models.ManyToManyField(
        settings.AUTH_USER_MODEL, related_name="organized_tournaments"
    )
    format = models.CharField(_("format"), max_length=30)
    format_options = models.JSONField(default=dict, blank=True)
    scoring = models.CharField(_("scoring"), max_length=30, default="classic")
    tie_breaks = models.JSONField(_("tie-breaks"), default=list, blank=True)
    matches_per_pairing = models.PositiveSmallIntegerField(_("matches in a pairing"), default=1)
    entry_policy = models.CharField(
        _("who may enter"), max_length=16, choices=EntryPolicy, default=EntryPolicy.OPEN
    )
    top_n = models.PositiveSmallIntegerField(_("how many of the ladder"), null=True, blank=True)
    min_entrants = models.PositiveSmallIntegerField(_("fewest entrants"), default=2)
    max_entrants = models.PositiveSmallIntegerField(_("most entrants"), default=64)
    max_per_owner = models.PositiveSmallIntegerField(
        _("most entrants of one owner"), null=True, blank=True
    )
    last_entry_round = models.PositiveSmallIntegerField(_("late entry until round"), default=0)
    release = models.CharField(
        _("who sees a new round"), max_length=16, choices=Release, default=Release.PUBLIC
    )
    opens_at = models.DateTimeField(_("registration opens"), null=True, blank=True)
    freezes_at = models.DateTimeField(_("versions are frozen"), null=True, blank=True)
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True)
    secret = models.CharField(
        max_length=SECRET_LENGTH, blank=True, default=new_secret, editable=False
    )
    status = models.CharField(
        _("status"), max_length=16, choices=TournamentStatus, default=TournamentStatus.DRAFT
    )
    status_reason = models.CharField(_("why"), max_length=500, blank=True, default="")
    revision = models.PositiveIntegerField(default=1, editable=False)
    rehearsal_of = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="rehearsals"
    )
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    frozen_at = models.DateTimeField(null=True, blank=True, editable=False)
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    completed_at = models.DateTimeField(null=True, blank=True, editable=False)
    released_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = TournamentQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=TournamentStatus.values), name="tournament_status_known"
            ),
            models.CheckConstraint(
                condition=Q(release__in=Release.values), name="tournament_release_known"
            ),
            models.CheckConstraint(
                condition=Q(entry_policy__in=EntryPolicy.values), name="tournament_policy_known"
            ),
            models.CheckConstraint(
                condition=Q(min_entrants__gte=2, max_entrants__gte=F("min_entrants")),
                name="tournament_sizes_in_order",
            ),
            models.CheckConstraint(
                condition=Q(matches_per_pairing__gte=1), name="tournament_pairings_are_played"
            ),
        ]
        indexes = [
            models.Index(fields=["status", "starts_at"], name="tournament_status_start"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the URL of the tournament's page."""
        return reverse("tournament", args=[self.slug])

    @property
    def commitment(self) -> str:
        """What everybody may know of the secret, unless the address may still change."""
        if not self.secret or self.status == TournamentStatus.DRAFT:
            return ""
        return chance.tournament_commitment(self.secret, tournament=self.slug)

    @property
    def shown_secret(self) -> str:
        """The secret once everything of the tournament is public and final; before, nothing."""
        return self.secret if self.status == TournamentStatus.RELEASED else ""

    @property
    def lots_seed(self) -> int:
        """The `rng_seed` of the coins and lots of the format. Secret, but what it draws is not."""
        return chance.lots_seed(self.secret)

    @property
    def is_overdue(self) -> bool:
        """Whether the time of the freeze has come, and it is not frozen."""
        is_open = self.status == TournamentStatus.REGISTRATION
        return is_open and self.freezes_at is not None and self.freezes_at <= timezone.now()

    @property
    def is_before_freeze(self) -> bool:
        """Whether entrants, versions and seeds can still change."""
        return self.status in (TournamentStatus.DRAFT, TournamentStatus.REGISTRATION)


class TournamentEntrantStatus(models.TextChoices):
    """The states of an entrant of a tournament."""

    INVITED = "invited", _("invited")
    DECLINED = "declined", _("declined")
    ENTERED = "entered", _("entered")
    WITHDRAWN = "withdrawn", _("withdrawn")
    DISQUALIFIED = "disqualified", _("disqualified")


class TournamentEntrantQuerySet(models.QuerySet["TournamentEntrant"]):
    def entered(self) -> Self:
        """Return the entrants that are in and have not left."""
        return self.filter(status=TournamentEntrantStatus.ENTERED)


class TournamentEntrant(models.Model):
    """A bot in a tournament, with the version pinned at the freeze and its digest.

    `seed` is its position in the seeding, which the freeze sets; 1 is the strongest. The entrant is
    paired from `from_round` on and, if it has left, up to `until_round`; 0 means before round 1.
    """

    Status = TournamentEntrantStatus
    GONE = (TournamentEntrantStatus.WITHDRAWN, TournamentEntrantStatus.DISQUALIFIED)

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="tournament_entries")
    version = models.ForeignKey(
        Version,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="tournament_entries",
    )
    digest = models.CharField(_("digest"), max_length=64, blank=True, default="")
    seed = models.PositiveSmallIntegerField(_("seed"), null=True, blank=True)
    status = models.CharField(
        _("status"),
        max_length=16,
        choices=TournamentEntrantStatus,
        default=TournamentEntrantStatus.ENTERED,
    )
    from_round = models.PositiveSmallIntegerField(default=1)
    until_round = models.PositiveSmallIntegerField(null=True, blank=True)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    entered_at = models.DateTimeField(auto_now_add=True)

    objects = TournamentEntrantQuerySet.as_manager()

    class Meta:
        ordering = ["tournament", F("seed").asc(nulls_last=True), "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "bot"], name="tournament_entrant_bot_once"
            ),
            models.UniqueConstraint(
                fields=["tournament", "seed"],
                condition=Q(seed__isnull=False),
                name="tournament_seed_once",
            ),
            models.CheckConstraint(
                condition=Q(status__in=TournamentEntrantStatus.values),
                name="tournament_entrant_status_known",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["withdrawn", "disqualified"], until_round__isnull=False)
                | (~Q(status__in=["withdrawn", "disqualified"]) & Q(until_round__isnull=True)),
                name="tournament_entrant_left_after_a_round",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bot} in {self.tournament}"

    @property
    def has_left(self) -> bool:
        """Whether it withdrew or was disqualified."""
        return self.status in self.GONE
