"""The best round of a Swiss tournament by going through all of them; shares no code with it."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from arena.domain.formats.types import TournamentState

Round = Sequence[tuple[int, ...]]


def best_cost(state: TournamentState) -> tuple[int, float, float] | None:
    """Return the least cost of all rounds without repeats and second byes."""
    there = _there(state)
    byes = [one for one in there if not _had_bye(state, one)] if len(there) % 2 else [None]
    costs = [
        cost(state, [*pairs, (bye,)] if bye is not None else pairs)
        for bye in byes
        for pairs in _parted([one for one in there if one != bye], 2, _met(state))
    ]
    return min(costs, default=None)


def cost(state: TournamentState, drawn: Round) -> tuple[int, float, float]:
    """Return how many stand below the bye, the points apart, and their squares, each summed."""
    order = sorted(_there(state), key=lambda one: (-points(state, one), _seed(state, one)))
    byes = [order[::-1].index(group[0]) for group in drawn if len(group) == 1]
    apart = [points(state, pair[0]) - points(state, pair[1]) for pair in drawn if len(pair) == 2]
    return (sum(byes), sum(map(abs, apart)), sum(difference**2 for difference in apart))


def least_spread(state: TournamentState) -> float:
    """Return the least spread of all rounds of threes without repeats; without byes."""
    return min(spread(state, drawn) for drawn in _parted(_there(state), 3, _met(state)))


def spread(state: TournamentState, drawn: Round) -> float:
    """Sum the squares of the points that those who meet are apart."""
    pairs = [pair for group in drawn for pair in combinations(group, 2)]
    return sum((points(state, one) - points(state, other)) ** 2 for one, other in pairs)


def _parted(
    entrants: list[int], size: int, met: set[frozenset[int]]
) -> Iterator[list[tuple[int, ...]]]:
    if not entrants:
        yield []
        return
    first, *others = entrants
    for partners in combinations(others, size - 1):
        group = (first, *partners)
        if any(frozenset(pair) in met for pair in combinations(group, 2)):
            continue
        left = [one for one in others if one not in partners]
        yield from ([group, *groups] for groups in _parted(left, size, met))


def _there(state: TournamentState) -> list[int]:
    return [entry.id for entry in state.entries if entry.is_in(state.rounds + 1)]


def _seed(state: TournamentState, entrant: int) -> int:
    return next(entry.seed for entry in state.entries if entry.id == entrant)


def _met(state: TournamentState) -> set[frozenset[int]]:
    return {
        frozenset(pair) for meeting in state.meetings for pair in combinations(meeting.entrants, 2)
    }


def _had_bye(state: TournamentState, entrant: int) -> bool:
    return any(meeting.entrants == (entrant,) for meeting in state.meetings)


def points(state: TournamentState, entrant: int) -> float:
    """Count games as 1, a half and 0."""
    scores = [meeting.score_of(entrant) for meeting in state.meetings]
    return sum(score.wins + score.draws / 2 for score in scores if score)
