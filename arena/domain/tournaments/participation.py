"""Whether entrants are still in a tournament, limited to the rounds that a viewer may see.

A withdrawal or disqualification becomes visible with the round in which it happened. The log
stores that round, so lists of entrants reveal exactly what the log reveals.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import dataclass

from arena.models import Tournament, TournamentEntrant, TournamentEntrantStatus

# The status after an action of the log. Empty: the action does not say whether the entrant left.
LEAVES: Mapping[str, str] = {
    "withdrew": TournamentEntrantStatus.WITHDRAWN,
    "withdrawn": TournamentEntrantStatus.WITHDRAWN,
    "disqualified": TournamentEntrantStatus.DISQUALIFIED,
    "cannot_play": "",
}


def as_shown(
    *, tournament: Tournament, entrants: Sequence[TournamentEntrant], rounds: int
) -> list[TournamentEntrant]:
    """Return the entrants, in their order, with their status after the first `rounds` rounds.

    Entrants that have left since are copies, which must not be saved.
    """
    left = _leavings(tournament, {entrant.pk for entrant in entrants if entrant.has_left})
    return [_stood(entrant, left.get(entrant.pk, ()), rounds) for entrant in entrants]


def from_round(entrant: TournamentEntrant, *, rounds: int) -> int | None:
    """Return the first round in which the entrant is paired.

    Return None if that would reveal a hidden round.
    """
    return entrant.from_round if entrant.from_round <= rounds + 1 else None


def until_round(entrant: TournamentEntrant, *, rounds: int) -> int | None:
    """Return the round after which the entrant left.

    Return None if the entrant is still in, or if the round is hidden.
    """
    left = entrant.until_round
    return left if left is not None and left <= rounds else None


@dataclass(frozen=True, slots=True)
class _Leaving:
    """A log entry about an entrant that leaves. `round` is the last round drawn before it."""

    round: int
    status: str
    until_round: int


def _leavings(tournament: Tournament, gone: AbstractSet[int]) -> Mapping[int, Sequence[_Leaving]]:
    leavings: defaultdict[int, list[_Leaving]] = defaultdict(list)
    if not gone:
        return leavings
    rows = tournament.log.filter(action__in=LEAVES).order_by("pk")
    for action, number, details in rows.values_list("action", "round_number", "details"):
        last = number or 0
        leaving = _Leaving(last, LEAVES[action], details.get("until_round", last))
        whom = details.get("entrants") or [details["entrant"]]
        for pk in gone & set(whom):
            leavings[pk].append(leaving)
    return leavings


def _stood(
    entrant: TournamentEntrant, leavings: Sequence[_Leaving], rounds: int
) -> TournamentEntrant:
    """Return the entrant as its last visible log entry describes it, or as entered without one."""
    shown = [leaving for leaving in leavings if leaving.round <= rounds]
    if len(shown) == len(leavings):
        return entrant
    known = [leaving for leaving in shown if leaving.status]
    stood = copy(entrant)
    stood.status = known[-1].status if known else TournamentEntrantStatus.ENTERED
    stood.until_round = known[-1].until_round if known else None
    return stood
