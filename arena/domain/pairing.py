"""Who should meet next on a ladder: arithmetic over plain data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

NOISE = 60.0  # rating points: enough that near neighbours do not always meet in one order
REPEAT_COST = 150.0  # rating points for every recent meeting of the same two
PROBE_SPREAD = 400.0  # beyond it, a wider gap is no worse: somebody must meet the outlier
GAMES_PER_MATCH = 2


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entrant that could play; `busy` counts its matches that are queued or running.

    One that is `resting` plays when another needs an opponent, and asks for no match itself.
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
        """Fewest games first, those already on their way included; then the longest wait."""
        return self.games + GAMES_PER_MATCH * self.busy, -self.waiting_s


def choose(
    candidates: Sequence[Candidate],
    *,
    met: Mapping[frozenset[int], int],
    max_busy: int,
    random: Random,
) -> tuple[int, int] | None:
    """Give the keys of the next two to meet, the needier first, or None where nobody can.

    `met` counts recent meetings of two keys. Two bots of one owner never meet, and nobody who has
    `max_busy` matches gets another.
    """
    free = [candidate for candidate in candidates if candidate.busy < max_busy]
    for needy in sorted(free, key=lambda candidate: candidate.need):
        if needy.resting:
            continue
        others = [other for other in free if other.owner != needy.owner]
        if others:
            costs = {other.key: _cost(needy, other, met, random) for other in others}
            return needy.key, min(costs, key=costs.__getitem__)
    return None


def _cost(
    needy: Candidate, other: Candidate, met: Mapping[frozenset[int], int], random: Random
) -> float:
    gap = min(abs(needy.rating - other.rating), PROBE_SPREAD)
    repeats = met.get(frozenset((needy.key, other.key)), 0)
    return gap + REPEAT_COST * repeats + NOISE * random.random()
