"""Who should meet next on a ladder: arithmetic over plain data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

NOISE = 60.0  # rating points: enough that near neighbours do not always meet in one order
REPEAT_COST = 150.0  # rating points for every recent meeting of the same two
PROBE_SPREAD = 400.0  # beyond it, a wider gap is no worse: somebody must meet the outlier


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entrant that could play; `busy` counts its matches that are queued or running.

    `games` includes those of these matches. One that is `resting` plays when another needs an
    opponent, and asks for no match itself.
    """

    key: int
    owner: int
    rating: float
    games: int
    waiting_s: float
    busy: int = 0
    resting: bool = False

    @property
    def need(self) -> tuple[int, float]:
        """Fewest games first; then the longest wait."""
        return self.games, -self.waiting_s


def choose(
    candidates: Sequence[Candidate],
    *,
    entrants: int = 2,
    met: Mapping[frozenset[int], int],
    max_busy: int,
    random: Random,
) -> tuple[int, ...] | None:
    """Give the keys of the next `entrants` to meet, the neediest first, or None where they cannot.

    `met` counts recent meetings of two keys. Two bots of one owner never meet, and nobody who has
    `max_busy` matches gets another. Who comes after the neediest is the nearest to those who are
    there already, one after the other.
    """
    free = [candidate for candidate in candidates if candidate.busy < max_busy]
    asking = [candidate for candidate in free if not candidate.resting]
    if not asking or len({candidate.owner for candidate in free}) < entrants:
        return None
    table = [min(asking, key=lambda candidate: candidate.need)]
    while len(table) < entrants:
        owners = {seated.owner for seated in table}
        others = [other for other in free if other.owner not in owners]
        costs = [_cost(table, other, met, random) for other in others]
        table.append(others[costs.index(min(costs))])
    return tuple(seated.key for seated in table)


def _cost(
    table: Sequence[Candidate],
    other: Candidate,
    met: Mapping[frozenset[int], int],
    random: Random,
) -> float:
    """Weigh how well another fits to those who are there already; the mean over them."""
    gaps = sum(min(abs(seated.rating - other.rating), PROBE_SPREAD) for seated in table)
    repeats = sum(met.get(frozenset((seated.key, other.key)), 0) for seated in table)
    return (gaps + REPEAT_COST * repeats) / len(table) + NOISE * random.random()
