"""Interventions on entrants: substitute, withdraw, disqualify."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.domain.errors import Refused
from arena.domain.formats.types import PAIR
from arena.domain.tournaments import changes
from arena.domain.tournaments.entry import admission
from arena.domain.tournaments.interventions import matches, targets
from arena.domain.tournaments.interventions.base import PLAYED_IN, Effect, OnEntrant
from arena.domain.tournaments.interventions.inputs import Typed, VersionInput
from arena.models import (
    Match,
    MatchStatus,
    Tournament,
    TournamentEntrantStatus,
    TournamentStatus,
    Version,
    VersionStatus,
)
from arena.texts import lists

NONE = "\N{EN DASH}"


def _ready_versions(tournament: Tournament, typed: Typed) -> str:
    """Return which versions the chosen entrant could play, and which one it plays now."""
    rows = tournament.entrants.entered()
    chosen = typed.get("entrant", "")
    entrant = next(
        (row for row in rows.select_related("bot__owner", "version") if str(row.pk) == chosen), None
    )
    if entrant is None:
        return ""
    ready = entrant.bot.versions.filter(status=VersionStatus.READY).order_by("number")
    text = _("Ready versions of %(bot)s: %(ready)s. Active now: %(now)s.")
    return text % {
        "bot": entrant.bot,
        "ready": lists.all_of(f"v{number}" for number in ready.values_list("number", flat=True))
        or NONE,
        "now": f"v{entrant.version.number}" if entrant.version else NONE,
    }


@dataclass(frozen=True)
class Substitute(OnEntrant):
    """Replace the version of an entrant by another version of the same bot.

    Results stand. Matches that are not over start again. Another bot cannot take over, because the
    results and the log are about this bot.
    """

    version: Annotated[
        int,
        VersionInput(
            label=gettext_lazy("Plays from now on"),
            help=gettext_lazy("A version of the same bot that is ready, such as v3."),
            hint=_ready_versions,
        ),
    ]

    slug: ClassVar = "substitute"
    label: ClassVar = gettext_lazy("Substitute a version")
    short_label: ClassVar = gettext_lazy("Substitute")
    help: ClassVar = gettext_lazy(
        "Another version of the bot plays from now on. Results stand. Matches that are not over"
        " start again."
    )
    request_body: ClassVar = "entrant, and version (another of its bot)"
    statuses: ClassVar = changes.UNDER_WAY
    confirm_text: ClassVar = gettext_lazy("Let v%(number)s play for %(bot)s")
    log_action: ClassVar = "substituted"
    log_text: ClassVar = gettext_lazy(
        "%(entrant)s plays %(version)s from now on instead of %(was)s."
    )

    def confirm_details(self, tournament: Tournament) -> dict[str, object]:
        """Return the bot and the number of the version."""
        number = Version.objects.get(pk=self.version).number
        return {**super().confirm_details(tournament), "number": number}

    def apply(self, tournament: Tournament, reason: str) -> Effect:
        """Apply the intervention. Raise Refused."""
        entrant = targets.entrant(tournament, self.entrant)
        targets.require_there(entrant)
        versions = Version.objects.select_related("bot__owner", "bot__active_version")
        version = versions.filter(pk=self.version).first()
        if version is None:
            text = _("There is no such version. Name it like this: owner/bot v3.")
            raise Refused("no_such_version", text, field="version")
        if version.pk == entrant.version_id:
            raise Refused("nothing_changes", _("This is the active version."), field="version")
        if version.bot_id != entrant.bot_id:
            text = _(
                "%(version)s belongs to another bot, and the results are those of %(bot)s. Name"
                " a version of %(bot)s, or withdraw the bot."
            )
            words = {"version": version, "bot": entrant.bot}
            raise Refused("other_bot", text % words, field="version")
        admission.hold_bots(bots=[version.bot_id])
        admission.require_playable(
            tournament=tournament, version=Version.objects.get(pk=version.pk)
        )
        was = entrant.version
        pairings = targets.open_pairings(entrant)
        rows = [row for pairing in pairings for row in targets.latest(pairing)]
        again = [row for row in rows if row.status != MatchStatus.FINISHED]
        admission.pin(entrant=entrant, version=version)
        for row in again:
            matches.play_again(match=row, reason=reason)
        details = {"entrant": entrant.pk, "was": str(was or ""), "version": str(version)}
        text = _("Played again from the beginning: %(matches)s.")
        notes = [text % {"matches": lists.all_of(again)}] if again else []
        return Effect(details, tuple(notes), targets.seen(rows))


@dataclass(frozen=True)
class Withdraw(OnEntrant):
    """Withdraw an entrant after the current round. Its results stand."""

    slug: ClassVar = "withdraw"
    label: ClassVar = gettext_lazy("Withdraw an entrant")
    short_label: ClassVar = gettext_lazy("Withdraw")
    help: ClassVar = gettext_lazy(
        "The entrant is not paired any more. This cannot be undone. Its results stand, and its "
        "pairings that were already drawn are still played."
    )
    statuses: ClassVar = changes.UNDER_WAY
    confirm_text: ClassVar = gettext_lazy("Withdraw %(bot)s")
    log_action: ClassVar = "withdrawn"
    log_text: ClassVar = gettext_lazy("%(entrant)s was withdrawn. Its results stand.")

    def apply(self, tournament: Tournament, reason: str) -> Effect:
        """Apply the intervention. Raise Refused."""
        del reason
        entrant = targets.entrant(tournament, self.entrant)
        targets.require_there(entrant)
        drawn = admission.drawn_rounds(tournament=tournament)
        admission.put_out(entrant=entrant, until_round=drawn)
        notes = [_("It is not paired any more. Its next opponent has a walkover.")]
        if targets.open_pairings(entrant):
            notes.append(_("Its pairing in this round is still played."))
        return Effect({"entrant": entrant.pk}, tuple(notes))


@dataclass(frozen=True)
class Disqualify(OnEntrant):
    """Disqualify an entrant at once. It loses its open pairings, and its results stand."""

    slug: ClassVar = "disqualify"
    label: ClassVar = gettext_lazy("Disqualify an entrant")
    short_label: ClassVar = gettext_lazy("Disqualify")
    help: ClassVar = gettext_lazy(
        "The entrant is out at once. This cannot be undone. Its results stand, and its open "
        "pairings are lost by walkover."
    )
    statuses: ClassVar = (TournamentStatus.FROZEN, *PLAYED_IN)
    confirm_text: ClassVar = gettext_lazy("Disqualify %(bot)s")
    log_action: ClassVar = "disqualified"
    log_text: ClassVar = gettext_lazy("%(entrant)s was disqualified.")

    def apply(self, tournament: Tournament, reason: str) -> Effect:
        """Apply the intervention. Raise Refused."""
        entrant = targets.entrant(tournament, self.entrant)
        if entrant.status == TournamentEntrantStatus.DISQUALIFIED:
            raise Refused("nothing_changes", _("It is already disqualified."), field="entrant")
        if entrant.status != TournamentEntrantStatus.WITHDRAWN:
            targets.require_there(entrant)
        pairings = targets.open_pairings(entrant)
        seen = targets.seen(row for pairing in pairings for row in targets.latest(pairing))
        # In a pairing of two, the pairing itself stores who was present. In a pairing of three,
        # both opponents win, so the entrant must leave in the round before.
        drawn = admission.drawn_rounds(tournament=tournament)
        left = drawn if entrant.until_round is None else entrant.until_round
        threes = [pairing.round.number for pairing in pairings if pairing.entrants.count() > PAIR]
        entrant.until_round = min([left, *(number - 1 for number in threes)])
        entrant.status = TournamentEntrantStatus.DISQUALIFIED
        entrant.save(update_fields=["status", "until_round"])
        ended: list[Match] = []
        for pairing in pairings:
            ended += matches.end_open(pairing=pairing, reason=reason)
            targets.walk_over(pairing)
        notes = (_("Its results stand, and its open pairings are lost."),)
        return Effect({"entrant": entrant.pk}, (*notes, *matches.say_ended(ended)), seen)
