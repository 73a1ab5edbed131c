"""Choose who meets next on a ladder: arithmetic over plain data.

The first entrant is the one with the fewest games, then the longest wait. Its opponent is the one
for whom the match is worth most. If two entrants have the variances u and v and the expected points
p and 1 - p, the worth is

    (u + v) (p (1 - p))^2

u + v is the variance of the gap between them. p (1 - p) is the Fisher information of a game about
the gap, except for a factor, and also measures how open it is which of the two is better. So a near
opponent is worth more than a far one, and an unknown one more than a well-known one. That this
formula ranks a ladder sooner than one with only one factor p (1 - p) is measured, not proved:
`make bench` has a simulator. Two bots that met lately rarely meet again at once, and a little noise
varies the choice.

**Nobody starves.** In every `ROUND`-th match of the ladder, the first entrant is not the neediest,
but the one that has waited longest since a match was made for it. An entrant that may play has at
most n - 1 others before it in that order, where n is the number of entrants when its wait began.
Each of them goes behind it when it gets a match, and so does each new entrant. So the entrant gets
one of the next `ROUND` * n matches, however many new entrants arrive.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from arena.domain.ratings import elo

ROUND = 4  # matches: one of them is for the entrant that has waited longest
NOISE = 0.2  # the largest part of the worth; it varies the order in which near neighbours meet
REPEAT = 0.05  # the factor of the worth for each recent meeting of the same two
UNKNOWN_SD = 350.0  # of the strength of a version that has not played, in rating points
HALVING_GAMES = 2.0  # games that halve the variance of an unknown strength


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entrant that could play. `busy` counts its matches that are queued or running.

    `games` includes the games of these matches. A `resting` entrant only plays if another one needs
    an opponent. `sd` is the standard deviation of its estimate in rating points, or None if there
    is no estimate.
    """

    key: int
    owner: int
    rating: float
    games: int
    waiting_s: float
    busy: int = 0
    resting: bool = False
    sd: float | None = None

    @property
    def need(self) -> tuple[int, float]:
        """The sort key: fewest games first, then the longest wait."""
        return self.games, -self.waiting_s

    @property
    def variance(self) -> float:
        """The variance of its strength, from its estimate or else from its games."""
        if self.sd is not None:
            return self.sd**2
        return UNKNOWN_SD**2 / (1.0 + self.games / HALVING_GAMES)


@dataclass(frozen=True, slots=True)
class LadderActivity:
    """The state of a ladder: recent meetings, and the number of entrants of a match.

    `number` is the number of the next match of the ladder, and `max_busy` the largest number of
    open matches of an entrant.
    """

    met: Mapping[frozenset[int], int]
    max_busy: int
    number: int
    entrants: int = 2


def choose(
    candidates: Sequence[Candidate], *, field: LadderActivity, random: Random
) -> tuple[int, ...] | None:
    """Return the keys of the entrants of the next match, or None if there are too few.

    Two bots of one owner never meet, and an entrant with `max_busy` matches gets no other one. In a
    match of more than two, each further entrant is worth most to those chosen before.
    """
    free = [candidate for candidate in candidates if candidate.busy < field.max_busy]
    asking = [candidate for candidate in free if not candidate.resting]
    if not asking or len({candidate.owner for candidate in free}) < field.entrants:
        return None
    if field.number % ROUND == 0:
        chosen = [max(asking, key=lambda candidate: candidate.waiting_s)]
    else:
        chosen = [min(asking, key=lambda candidate: candidate.need)]
    while len(chosen) < field.entrants:
        owners = {each.owner for each in chosen}
        others = [other for other in free if other.owner not in owners]
        worths = [_worth(chosen, other, field.met, random) for other in others]
        chosen.append(others[worths.index(max(worths))])
    return tuple(each.key for each in chosen)


def _worth(
    chosen: Sequence[Candidate],
    other: Candidate,
    met: Mapping[frozenset[int], int],
    random: Random,
) -> float:
    """Return the worth of a match of another entrant with those chosen before."""
    worth = sum(worth_of_two(each, other) for each in chosen)
    repeats = sum(met.get(frozenset((each.key, other.key)), 0) for each in chosen)
    return worth * REPEAT**repeats * (1.0 + NOISE * random.random())


def worth_of_two(one: Candidate, other: Candidate) -> float:
    """Return the worth of a match of two, in square rating points."""
    p = elo.expected(one.rating, other.rating)
    return (one.variance + other.variance) * (p * (1.0 - p)) ** 2
