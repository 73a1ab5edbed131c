"""Whether entrants are still in a tournament, as far as somebody may see its rounds.

That somebody has left, or was put out, is told with the round in which it happened. The log knows
which round that was, so that the lists of entrants tell what the log tells, and never more.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import dataclass
from typing import Any

from arena.models import Tournament, TournamentEntrant, TournamentEntrantStatus

GONE = (TournamentEntrantStatus.WITHDRAWN, TournamentEntrantStatus.DISQUALIFIED)
# What an entrant is after these actions of the log; empty: it may have left, or not.
LEAVES: Mapping[str, str] = {
    "withdrew": TournamentEntrantStatus.WITHDRAWN,
    "withdrawn": TournamentEntrantStatus.WITHDRAWN,
    "disqualified": TournamentEntrantStatus.DISQUALIFIED,
    "cannot_play": "",
}


def as_shown(
    *, tournament: Tournament, entrants: Iterable[TournamentEntrant], rounds: int
) -> list[TournamentEntrant]:
    """Return entrants, in their order, as they stood after so many rounds from the first on.

    Those who have left since are copies, to be looked at and never to be saved.
    """
    found = list(entrants)
    left = _leavings(tournament, {each.pk for each in found if each.status in GONE})
    return [_stood(each, left.get(each.pk, ()), rounds) for each in found]


def from_round(entrant: TournamentEntrant, *, rounds: int) -> int | None:
    """Return from which round on it is paired.

    None where that tells of rounds that are not shown.
    """
    return entrant.from_round if entrant.from_round <= rounds + 1 else None


def until_round(entrant: TournamentEntrant, *, rounds: int) -> int | None:
    """Return after which round it left; None while it is in, and where that round is not shown."""
    left = entrant.until_round
    return left if left is not None and left <= rounds else None


@dataclass(frozen=True, slots=True)
class _Leaving:
    """What the log says of one that leaves; `round` is the last that was drawn by then."""

    round: int
    status: str
    until_round: int


def _leavings(tournament: Tournament, gone: AbstractSet[int]) -> Mapping[int, Sequence[_Leaving]]:
    found: defaultdict[int, list[_Leaving]] = defaultdict(list)
    if not gone:
        return found
    rows = tournament.log.filter(action__in=LEAVES).order_by("pk")
    for action, number, details in rows.values_list("action", "round_number", "details"):
        last = number or 0
        leaving = _Leaving(last, LEAVES[action], details.get("until_round", last))
        for pk in gone & set(_whom(details)):
            found[pk].append(leaving)
    return found


def _whom(details: Mapping[str, Any]) -> Iterable[int]:
    return details.get("entrants") or [details["entrant"]]


def _stood(
    entrant: TournamentEntrant, leavings: Sequence[_Leaving], rounds: int
) -> TournamentEntrant:
    """Return an entrant as the last that is shown of its leavings says; in, where there is none."""
    shown = [each for each in leavings if each.round <= rounds]
    if len(shown) == len(leavings):
        return entrant
    known = [each for each in shown if each.status]
    stood = copy(entrant)
    stood.status = known[-1].status if known else TournamentEntrantStatus.ENTERED
    stood.until_round = known[-1].until_round if known else None
    return stood
