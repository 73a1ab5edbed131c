"""Interventions on matches and pairings: void, play again, award."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.tournaments.entry import admission
from arena.domain.tournaments.interventions import targets
from arena.domain.tournaments.interventions.base import Effect, OnMatch, OnPairing
from arena.domain.tournaments.interventions.inputs import PairingEntrantInput
from arena.domain.tournaments.wording import Details
from arena.models import (
    Match,
    MatchKind,
    MatchStatus,
    Pairing,
    PairingDecision,
    Tournament,
    Version,
)
from arena.texts import Text


@dataclass(frozen=True)
class Void(OnMatch):
    """Void an open match as the platform's fault, and play it from the beginning."""

    slug: ClassVar = "void"
    label: ClassVar = gettext_lazy("Void a match")
    short_label: ClassVar = gettext_lazy("Void")
    help: ClassVar = gettext_lazy(
        "A match that is not over ends as the platform's fault. It is played from the "
        "beginning, by the same bots and with new chance."
    )
    confirm_text: ClassVar = gettext_lazy("Void match %(leg)s of %(names)s")
    log_action: ClassVar = "match_voided"
    log_text: ClassVar = gettext_lazy(
        "Match %(match)s was voided and is played again as %(again)s."
    )

    @staticmethod
    def fits(row: Match) -> bool:
        """Return whether the match is open."""
        return row.is_open

    def apply(self, tournament: Tournament, reason: str) -> Effect:
        """Apply the intervention. Raise Refused."""
        match, pairing = targets.match(tournament, self.match)
        seen = targets.seen([match])
        targets.require_undecided(pairing)
        if not match.is_open:
            text = _("%(match)s is %(status)s. Play it again instead.")
            words = {"match": match, "status": match.get_status_display()}
            raise Refused("match_over", text % words, field="match")
        again = play_again(match=match, reason=reason)
        return Effect({"match": str(match), "again": str(again)}, seen=seen)


@dataclass(frozen=True)
class Rerun(OnMatch):
    """Play a finished match again. The old result no longer counts.

    If the pairing was awarded, its matches decide it again.
    """

    slug: ClassVar = "rerun"
    label: ClassVar = gettext_lazy("Play a match again")
    short_label: ClassVar = gettext_lazy("Play again")
    help: ClassVar = gettext_lazy(
        "A match that is over is played once more, with new chance. The old result stays "
        "visible but no longer counts. If the pairing was awarded, the matches decide it again."
    )
    confirm_text: ClassVar = gettext_lazy("Play match %(leg)s of %(names)s again")
    log_action: ClassVar = "match_rerun"

    @staticmethod
    def fits(row: Match) -> bool:
        """Return whether the match is over."""
        return not row.is_open

    @classmethod
    def say_entry(cls, details: Details) -> Sequence[Text]:
        """Return the texts of the log entry."""
        text = gettext_lazy("Match %(match)s no longer counts and is played again as %(again)s.")
        return [text, *decided_anew(details)]

    def apply(self, tournament: Tournament, reason: str) -> Effect:
        """Apply the intervention. Raise Refused."""
        match, pairing = targets.match(tournament, self.match)
        seen = targets.seen([match])
        if match.is_open:
            text = _("%(match)s is %(status)s. Void it instead.")
            words = {"match": match, "status": match.get_status_display()}
            raise Refused("match_open", text % words, field="match")
        if pairing.decision not in ("", PairingDecision.AWARD):
            targets.require_undecided(pairing)
        targets.require_free(pairing)
        targets.require_played_to_end(pairing)
        lifted = []
        if pairing.decision:
            Pairing.objects.filter(pk=pairing.pk).update(decision="", award=None)
            for row in targets.latest(pairing):  # those that the award ended
                if row.public_id != self.match and row.status != MatchStatus.FINISHED:
                    play_again(match=row, reason=reason)
            lifted = [_("The award is lifted: the matches decide the pairing again.")]
        again = play_again(match=match, reason=reason)
        notes = [*lifted, *targets.reopen(tournament, pairing), *targets.later_rounds(pairing)]
        details = {
            "match": str(match),
            "again": str(again),
            "was_settled": pairing.advancing_position is not None,
        }
        return Effect(details, tuple(notes), seen)


@dataclass(frozen=True)
class Award(OnPairing):
    """Award a pairing to one entrant, or to all in equal shares (None), whatever its results."""

    to: Annotated[
        int | None, PairingEntrantInput(label=gettext_lazy("Awarded to"), api_name="entrant")
    ]

    slug: ClassVar = "award"
    label: ClassVar = gettext_lazy("Award a pairing")
    short_label: ClassVar = gettext_lazy("Award")
    help: ClassVar = gettext_lazy(
        "All games of the pairing count as won by one entrant, or as shared. The results of its"
        " matches stay visible but no longer count."
    )
    request_body: ClassVar = "pairing, and entrant (null: all share it)"
    log_action: ClassVar = "awarded"

    def confirmation(self, tournament: Tournament) -> str:
        """Return the text of the button."""
        words = self.confirm_details(tournament)
        if self.to is None:
            return _("Let all share %(pairing)s: %(names)s") % words
        to = targets.entrant(tournament, self.to)
        return _("Award %(pairing)s to %(bot)s") % {**words, "bot": to.bot}

    @classmethod
    def say_entry(cls, details: Details) -> Sequence[Text]:
        """Return the texts of the log entry."""
        if details.get("to"):
            text = gettext_lazy("Pairing %(pairing)s was awarded to %(to)s.")
            return [text, *decided_anew(details)]
        return [gettext_lazy("Pairing %(pairing)s was awarded to all in equal shares.")]

    def apply(self, tournament: Tournament, reason: str) -> Effect:
        """Apply the intervention. Raise Refused."""
        pairing = targets.pairing(tournament, self.pairing)
        seen = targets.seen(targets.latest(pairing))
        if pairing.decision != PairingDecision.AWARD:
            targets.require_undecided(pairing)
        if self.to is None and pairing.slot:
            raise Refused(
                "bracket_goes_on",
                _("Somebody has to advance from a pairing of a bracket. Award it to one entrant."),
                field="to",
            )
        position = None
        if self.to is not None:
            rows = pairing.entrants.select_related("entrant__bot__owner")
            row = rows.filter(entrant=self.to).first()
            if row is None:
                raise Refused(
                    "not_in_pairing",
                    _(
                        "This entrant is not in the pairing. Award it to an entrant of the pairing,"
                        " or let all share it."
                    ),
                    field="to",
                )
            targets.require_awardable(row.entrant, pairing)
            position = row.position
        if (pairing.decision, pairing.award) == (PairingDecision.AWARD, position):
            raise Refused("nothing_changes", _("It is already awarded like this."))
        targets.require_free(pairing)
        ended = end_open(pairing=pairing, reason=reason)
        Pairing.objects.filter(pk=pairing.pk).update(decision=PairingDecision.AWARD, award=position)
        targets.forget_winner(pairing)
        details = {
            "pairing": targets.label(pairing),
            "to": self.to,
            "was_settled": pairing.advancing_position is not None,
        }
        notes = [*say_ended(ended), *targets.later_rounds(pairing)]
        return Effect(details, tuple(notes), seen)


def decided_anew(details: Details) -> list[Text]:
    """Return a text if an older entry about who advances is out of date."""
    if not details.get("was_settled"):
        return []
    return [gettext_lazy("The decision about who advances is open again.")]


def play_again(*, match: Match, reason: str) -> Match:
    """Queue a match of a pairing again, and cancel it first if it is open. Return the new row.

    The match has new chance. Entrants play their current pinned versions. Raise Refused.
    """
    pairing = match.pairing
    if pairing is None or match.leg is None:
        raise Refused("no_such_match", _("This match does not belong to a tournament."))
    targets.require_played_to_end(pairing)
    # The versions that play now, by position.
    rows = pairing.entrants.select_related(
        "entrant__version__bot__owner", "entrant__tournament__ladder"
    )
    entrants = [row.entrant for row in rows.order_by("position")]
    versions: list[Version] = []
    for entrant in entrants:
        if not admission.is_ready(tournament=entrant.tournament, version=entrant.version):
            if targets.may_be_substituted(entrant):
                text = _("%(version)s can no longer play. Substitute another version first.")
            else:
                text = _("%(version)s can no longer play. Award the pairing instead.")
            names = {"version": entrant.version or entrant.bot}
            raise Refused("version_not_ready", text % names)
        versions += [entrant.version] if entrant.version else []
    if match.is_open and not lifecycle.cancel(match=match, reason=reason):
        text = _("%(match)s has ended meanwhile, and its result stands.")
        raise Refused("match_over", text % {"match": match})
    return lifecycle.create_match(
        ladder=match.ladder,
        versions=versions,
        rerun_of=match,
        purpose=Purpose(MatchKind.TOURNAMENT, pairing=pairing, leg=match.leg),
    )


def end_open(*, pairing: Pairing, reason: str) -> list[Match]:
    """Cancel the open matches of a pairing and return them."""
    return [
        row
        for row in targets.latest(pairing)
        if row.is_open and lifecycle.cancel(match=row, reason=reason)
    ]


def say_ended(ended: Sequence[Match]) -> list[str]:
    """Return a note on the cancelled matches, or nothing if there are none."""
    if not ended:
        return []
    text = ngettext(
        "%(count)d match that is not over is ended.",
        "%(count)d matches that are not over are ended.",
        len(ended),
    )
    return [text % {"count": len(ended)}]
