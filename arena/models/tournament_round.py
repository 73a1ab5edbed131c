from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from arena.models.append_only import AppendOnlyModel
from arena.models.public_ids import new_pairing_id
from arena.models.tournament import (
    Release,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
)
from arena.models.user import User, Viewer, is_staff


class TournamentRoundQuerySet(models.QuerySet["TournamentRound"]):
    """Selections of rounds by who may see them."""

    def visible_to(self, viewer: Viewer) -> Self:
        """Return the rounds of all tournaments that the viewer may see."""
        if is_staff(viewer):
            return self.all()
        return self.filter(
            Q(release=Release.PUBLIC)
            | Q(pk__in=TournamentRound.objects.restricted_but_visible_to(viewer))
        )

    def restricted_but_visible_to(self, viewer: Viewer) -> list[int]:
        """Return the keys of rounds that are not public, but visible to an organizer or entrant.

        Owners see the rounds of tournaments that their bots are in, or were paired in. A bot that
        came late and left before it was paired shows its owner nothing: nobody looks in by coming
        and going. A list and not a query, since it is empty for nearly everybody: what is selected
        by it then needs no join.
        """
        if not isinstance(viewer, User) or not viewer.is_active:
            return []
        organized = viewer.organized_tournaments.values("pk")
        entered = TournamentEntrant.objects.filter(
            Q(status=TournamentEntrantStatus.ENTERED) | Q(pairings__isnull=False),
            bot__owner=viewer,
        ).values("tournament")
        rounds = self.exclude(release=Release.PUBLIC).filter(
            Q(tournament__in=organized)
            | Q(release=Release.ENTRANTS, tournament__rehearsal_of=None, tournament__in=entered)
        )
        return list(rounds.order_by().values_list("pk", flat=True))


class TournamentRound(models.Model):
    """Pairings that may be played side by side. No round is seen by more than those before it."""

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
        """Return the address of the round's page."""
        return reverse("tournament-round", args=[self.tournament.slug, self.number])


class PairingDecision(models.TextChoices):
    """Why a pairing has the result that it has; empty where its matches say it."""

    BYE = "bye", _("bye")
    WALKOVER = "walkover", _("walkover")
    AWARD = "award", _("awarded")
    VOID = "void", _("void")


class Pairing(models.Model):
    """Who meets whom in a round. It is played in `matches_wanted` matches, each in every seating.

    `slot` is its place in a bracket. Where it was decided otherwise than by play, `decision` says
    how; `award` is then the position of the entrant that is given all games, None where all share
    them, and a void pairing counts for nobody. `advancing_position` is the
    position of the entrant that advances in a bracket if the games do not decide it; None if they
    do, and until the next round is drawn.
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
    """An entrant in a pairing; a pairing with one alone is a bye. Position 0 sits first.

    `is_absent` is who had left before a walkover, or was put out of it: the others have won.
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
    """Something that happened in a tournament, by whom (None: by itself) and why; public.

    `action` and `details` are data: `arena.domain.tournaments.log` has the words. An entry that
    tells of a round is seen by whoever sees the round. `revision` is what it made of the
    tournament's. The database itself refuses to change an entry, and to delete one that is not of a
    rehearsal; `is_rehearsal` says so in the row, since a trigger that asked the tournament's would
    keep SQLite from ever rebuilding that table.
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
        """Add the entry, as one of a rehearsal or not."""
        self.is_rehearsal = self.tournament.rehearsal_of_id is not None
        super().save(*args, **kwargs)
