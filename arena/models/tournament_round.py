from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.models.append_only import AppendOnlyModel
from arena.models.public_ids import new_pairing_id
from arena.models.tournament import Release, Tournament, TournamentEntrant, TournamentEntrantStatus
from arena.models.user import User, Viewer, is_staff


def entries_of(user: User) -> models.QuerySet[TournamentEntrant]:
    """Return the entries that show their tournaments to a user: of bots that are or were paired.

    A bot that entered late and left before it was paired shows its owner nothing, so that nobody
    can look by entering and leaving.
    """
    return TournamentEntrant.objects.filter(
        Q(status=TournamentEntrantStatus.ENTERED) | Q(pairings__isnull=False), bot__owner=user
    )


class TournamentRoundQuerySet(models.QuerySet["TournamentRound"]):
    """Selections of rounds by who may see them."""

    def visible_to(self, viewer: Viewer) -> Self:
        """Return the rounds that the viewer may see, of all tournaments."""
        if is_staff(viewer):
            return self.all()
        return self.filter(
            Q(release=Release.PUBLIC)
            | Q(pk__in=TournamentRound.objects.restricted_but_visible_to(viewer))
        )

    def restricted_but_visible_to(self, viewer: Viewer) -> list[int]:
        """Return the ids of rounds that are not public, but visible to the viewer.

        Organizers see their tournaments, and owners those of `entries_of`. This is a list and not a
        query, because it is usually empty, and then a selection with it needs no join.
        """
        if not isinstance(viewer, User) or not viewer.is_active:
            return []
        organized = viewer.organized_tournaments.values("pk")
        entered = entries_of(viewer).values("tournament")
        rounds = self.exclude(release=Release.PUBLIC).filter(
            Q(tournament__in=organized)
            | Q(release=Release.ENTRANTS, tournament__rehearsal_of=None, tournament__in=entered)
        )
        return list(rounds.order_by().values_list("pk", flat=True))


class TournamentRound(models.Model):
    """Pairings that may be played at the same time. No round has more viewers than earlier ones."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))
    release = models.CharField(_("who sees it"), max_length=16, choices=Release)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = TournamentRoundQuerySet.as_manager()

    class Meta:
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "number"], name="tournament_round_number_once"
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1), name="tournament_round_number_from_one"
            ),
            models.CheckConstraint(
                condition=Q(release__in=Release.values), name="tournament_round_release_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, round {self.number}"

    def get_absolute_url(self) -> str:
        """Return the URL of the round's page."""
        return reverse("tournament-round", args=[self.tournament.slug, self.number])


class PairingDecision(models.TextChoices):
    """How a pairing was decided, if not by its matches."""

    BYE = "bye", _("bye")
    WALKOVER = "walkover", _("walkover")
    AWARD = "award", _("awarded")
    VOID = "void", _("void")


class Pairing(models.Model):
    """The entrants who meet in a round. It has `matches_wanted` matches, each with every seating.

    `slot` is its place in a bracket. If it was not decided by play, `decision` says how, and
    `award` is the position of the entrant that gets all games, or None if all share them. A void
    pairing counts for nobody. `advancing_position` is the position of the entrant that advances in
    a bracket if the games do not decide it; it is None if they do, and until the next round is
    drawn.
    """

    Decision = PairingDecision

    public_id = models.CharField(
        max_length=32, unique=True, default=new_pairing_id, editable=False, verbose_name=_("id")
    )
    round = models.ForeignKey(TournamentRound, on_delete=models.CASCADE, related_name="pairings")
    number = models.PositiveSmallIntegerField(_("number"))
    slot = models.CharField(max_length=20, blank=True, default="")
    matches_wanted = models.PositiveSmallIntegerField(default=1)
    decision = models.CharField(
        _("decision"), max_length=16, choices=PairingDecision, blank=True, default=""
    )
    award = models.PositiveSmallIntegerField(null=True, blank=True)
    advancing_position = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="pairing_number_once"),
            models.CheckConstraint(
                condition=Q(decision__in=["", *PairingDecision.values]),
                name="pairing_decision_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}, pairing {self.number}"


class PairingEntrant(models.Model):
    """An entrant in a pairing. A pairing with one entrant is a bye. Position 0 is the first seat.

    `is_absent` marks an entrant that left before a walkover or lost it: the others have won.
    """

    pairing = models.ForeignKey(Pairing, on_delete=models.CASCADE, related_name="entrants")
    position = models.PositiveSmallIntegerField()
    entrant = models.ForeignKey(
        TournamentEntrant, on_delete=models.PROTECT, related_name="pairings"
    )
    is_absent = models.BooleanField(default=False)

    class Meta:
        ordering = ["pairing", "position"]
        constraints = [
            models.UniqueConstraint(fields=["pairing", "position"], name="pairing_position_once"),
            models.UniqueConstraint(fields=["pairing", "entrant"], name="pairing_entrant_once"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant} in {self.pairing}"


class TournamentLogEntry(AppendOnlyModel):
    """An event in a tournament, with the person (None for the site) and the reason. Public.

    `action` and `details` are data; `arena.domain.tournaments.log` has the texts. An entry about a
    round is visible to those who may see the round. `revision` is the tournament's revision after
    the event. Triggers of the database refuse to change an entry, and to delete one unless it
    belongs to a rehearsal. They read `is_rehearsal` from this row, because a trigger that reads the
    tournament's row would prevent SQLite from rebuilding that table.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="log")
    round_number = models.PositiveSmallIntegerField(null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    action = models.CharField(_("action"), max_length=40)
    reason = models.TextField(_("reason"), blank=True, default="")
    details = models.JSONField(_("details"), default=dict, blank=True)
    revision = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now_add=True)
    is_rehearsal = models.BooleanField(editable=False)

    class Meta(AppendOnlyModel.Meta):
        ordering = ["tournament", "pk"]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.action}"

    def save(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - Django's signature
        """Add the entry and set `is_rehearsal`."""
        self.is_rehearsal = self.tournament.rehearsal_of_id is not None
        super().save(*args, **kwargs)
