"""Acts of organizers on matches and pairings: void, play again, award."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.tournaments.interventions import reruns, targets
from arena.domain.tournaments.interventions.acts import PLAYED_IN, Done
from arena.models import MatchStatus, Pairing, PairingDecision, Tournament


@dataclass(frozen=True, slots=True)
class Void:
    """End an open match as the platform's fault, and play it from the beginning."""

    match: str

    def apply(self, tournament: Tournament, reason: str) -> Done:
        """Do it. Raise Refused."""
        targets.require_status(tournament, PLAYED_IN)
        match, pairing = targets.match(tournament, self.match)
        seen = targets.seen([match])
        targets.require_undecided(pairing)
        if not match.is_open:
            said = _("%(match)s is %(status)s. Play it again instead: that is another act.")
            words = {"match": match, "status": match.get_status_display()}
            raise Refused("match_over", said % words, field="match")
        again = reruns.play_again(match=match, reason=reason)
        return Done("match_voided", {"match": str(match), "again": str(again)}, seen=seen)


@dataclass(frozen=True, slots=True)
class Rerun:
    """Play a match again that is over; the old result counts no longer.

    Where the pairing had been awarded, it is decided by play again.
    """

    match: str

    def apply(self, tournament: Tournament, reason: str) -> Done:
        """Do it. Raise Refused."""
        targets.require_status(tournament, PLAYED_IN)
        match, pairing = targets.match(tournament, self.match)
        seen = targets.seen([match])
        if match.is_open:
            said = _("%(match)s is %(status)s. Void it instead: that is another act.")
            words = {"match": match, "status": match.get_status_display()}
            raise Refused("match_open", said % words, field="match")
        if pairing.decision not in ("", PairingDecision.AWARD):
            targets.require_undecided(pairing)
        targets.require_free(pairing)
        targets.require_played_to_end(pairing)
        lifted = self._lift(pairing, reason)
        again = reruns.play_again(match=match, reason=reason)
        notes = [*lifted, *targets.reopen(tournament, pairing), *targets.later_rounds(pairing)]
        details = {
            "match": str(match),
            "again": str(again),
            "was_settled": pairing.goes_on is not None,
        }
        return Done("match_rerun", details, tuple(notes), seen)

    def _lift(self, pairing: Pairing, reason: str) -> list[str]:
        """Let play decide where an award did; what the award had ended is played too."""
        if not pairing.decision:
            return []
        Pairing.objects.filter(pk=pairing.pk).update(decision="", award=None)
        for row in targets.latest(pairing):
            if row.public_id != self.match and row.status != MatchStatus.FINISHED:
                reruns.play_again(match=row, reason=reason)
        return [_("The award is lifted: the pairing is decided by play again.")]


@dataclass(frozen=True, slots=True)
class Award:
    """Give a pairing to one entrant, or let all share it (None), whatever was played in it."""

    pairing: str
    to: int | None

    def apply(self, tournament: Tournament, reason: str) -> Done:
        """Do it. Raise Refused."""
        targets.require_status(tournament, PLAYED_IN)
        pairing = targets.pairing(tournament, self.pairing)
        seen = targets.seen(targets.latest(pairing))
        self._check(pairing)
        position = self._position(pairing)
        if (pairing.decision, pairing.award) == (PairingDecision.AWARD, position):
            raise Refused("nothing_changes", _("It is awarded so already."))
        targets.require_free(pairing)
        ended = reruns.end_open(pairing=pairing, reason=reason)
        Pairing.objects.filter(pk=pairing.pk).update(decision=PairingDecision.AWARD, award=position)
        targets.forget_winner(pairing)
        details = {
            "pairing": targets.label(pairing),
            "to": self.to,
            "was_settled": pairing.goes_on is not None,
        }
        notes = [*reruns.say_ended(ended), *targets.later_rounds(pairing)]
        return Done("awarded", details, tuple(notes), seen)

    def _check(self, pairing: Pairing) -> None:
        if pairing.decision != PairingDecision.AWARD:
            targets.require_undecided(pairing)
        if self.to is None and pairing.slot:
            raise Refused(
                "bracket_goes_on",
                _("Somebody has to go on from a pairing of a bracket: award it to one of them."),
                field="to",
            )

    def _position(self, pairing: Pairing) -> int | None:
        if self.to is None:
            return None
        row = pairing.entrants.select_related("entrant__bot__owner").filter(entrant=self.to).first()
        if row is None:
            raise Refused(
                "not_in_pairing",
                _("This entrant is not in the pairing: award it to one who is, or let all share."),
                field="to",
            )
        targets.require_awardable(row.entrant, pairing)
        return row.position
