"""Who should meet next on a ladder: arithmetic over plain data.

Who asks is the one with the fewest games, then the longest wait. Whom it meets is whoever makes the
match teach most. Of two of variances u and v that are expected to share the points of a game p to
1 - p, the worth is

    (u + v) (p (1 - p))^2

u + v being how little is known of the gap between them; p (1 - p) is what a game tells of it (the
Fisher information of the gap, but for a factor), and once more how open it is which of the two is
the better one. So a near one teaches more than a far one, and the unknown more than the well known.
That this ranks a ladder sooner than either factor once is measured, not proved: `make bench` has a
simulator. Two that have met lately hardly meet again at once, and a little noise varies the choice.

**Nobody starves.** At every `ROUND`-th match of the ladder not the neediest asks but the one that
has waited longest since a match was made for it. Whoever is able to play and asks has at most
n - 1 others before it in that order, those who had waited longer when it began to ask; each of them
goes behind it when it gets a match, and so does whoever comes later. So it has its match among the
next `ROUND` * n that are made, n being the number of entrants when it began to ask, however many
new ones arrive.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from arena.domain.ratings import elo

ROUND = 4  # matches: in each of them, one is for whoever has waited longest
NOISE = 0.2  # of the worth, at most: enough that near neighbours do not always meet in one order
REPEAT = 0.05  # what a match is still worth for each recent meeting of the same two
UNKNOWN_SD = 350.0  # of the strength of a version that has not played, in rating points
GAMES_TOLD_BY = 2.0  # games that halve the variance of one that was unknown


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entrant that could play; `busy` counts its matches that are queued or running.

    `games` includes those of these matches. One that is `resting` plays when another needs an
    opponent, and asks for no match itself. `sd` is the standard deviation of its estimate in rating
    points, None where there is none.
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
        """Fewest games first; then the longest wait."""
        return self.games, -self.waiting_s

    @property
    def variance(self) -> float:
        """How little is known of its strength: by its estimate, or else by its games."""
        if self.sd is not None:
            return self.sd**2
        return UNKNOWN_SD**2 / (1.0 + self.games / GAMES_TOLD_BY)


@dataclass(frozen=True, slots=True)
class LadderActivity:
    """What is known of a ladder beside its candidates: recent meetings, and how many to a match.

    `number` is that of the match to be made, counted on the ladder; `max_busy` how many matches
    one may have open.
    """

    met: Mapping[frozenset[int], int]
    max_busy: int
    number: int
    entrants: int = 2


def choose(
    candidates: Sequence[Candidate], *, field: LadderActivity, random: Random
) -> tuple[int, ...] | None:
    """Return the keys of the next to meet, who asked first, or None where they cannot.

    Two bots of one owner never meet, and nobody who has `max_busy` matches gets another. With more
    than two, each further one is the best for those who are there already.
    """
    free = [candidate for candidate in candidates if candidate.busy < field.max_busy]
    asking = [candidate for candidate in free if not candidate.resting]
    if not asking or len({candidate.owner for candidate in free}) < field.entrants:
        return None
    table = [_first(asking, field.number)]
    while len(table) < field.entrants:
        owners = {seated.owner for seated in table}
        others = [other for other in free if other.owner not in owners]
        worths = [_worth(table, other, field.met, random) for other in others]
        table.append(others[worths.index(max(worths))])
    return tuple(seated.key for seated in table)


def _first(asking: Sequence[Candidate], number: int) -> Candidate:
    if number % ROUND == 0:
        return max(asking, key=lambda candidate: candidate.waiting_s)
    return min(asking, key=lambda candidate: candidate.need)


def _worth(
    table: Sequence[Candidate],
    other: Candidate,
    met: Mapping[frozenset[int], int],
    random: Random,
) -> float:
    """Return what a match with another teaches those who are there already."""
    worth = sum(taught(seated, other) for seated in table)
    repeats = sum(met.get(frozenset((seated.key, other.key)), 0) for seated in table)
    return worth * REPEAT**repeats * (1.0 + NOISE * random.random())


def taught(one: Candidate, other: Candidate) -> float:
    """Return the worth of a match of two, in square rating points."""
    p = elo.expected(one.rating, other.rating)
    return (one.variance + other.variance) * (p * (1.0 - p)) ** 2
