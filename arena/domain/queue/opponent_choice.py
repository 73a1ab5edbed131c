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

**A repeat waits for somebody else.** Matches are made whenever one ends. Where bots are few, most
are full at that moment, and the two that have just met would meet again for ever. So an entrant
that asks gets a match only if its best free opponent is worth at least `WORTH_A_MATCH` of its best
opponent among all, the full ones included. Otherwise the next one is asked, and the first keeps its
place. If nobody gets a match and a runner would be idle, entrants without an open match choose
among each other.

**All can be compared.** No rating compares bots that no chain of matches joins. So while a ladder
is new, two bots that are joined already do not meet if one of them could meet a bot that is not
joined with it, now or later. Each match joins two groups, and n - 1 matches join all n entrants.

**Nobody starves.** In every `ROUND`-th match of the ladder, the first entrant is not the neediest,
but the one that has waited longest since a match was made for it. An entrant that has let as many
matches pass as the ladder has made lately is `overdue` and waits for no better opponent. From then
on it has at most n - 1 others before it in that order, where n is the number of entrants. Each of
them goes behind it when it gets a match, and so does each new entrant. So the entrant gets one of
the next `ROUND` * n matches, however many new entrants arrive.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from arena.domain.ratings import elo

ROUND = 4  # matches: one of them is for the entrant that has waited longest
NOISE = 0.2  # the largest part of the worth; it varies the order in which near neighbours meet
REPEAT = 0.05  # the factor of the worth for each recent meeting of the same two
UNKNOWN_SD = 350.0  # of the strength of a version that has not played, in rating points
WORTH_A_MATCH = 0.3  # of the worth of the best opponent: one that is free now has to be worth it
HALVING_GAMES = 2.0  # games that halve the variance of an unknown strength


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entrant that could play. `busy` counts its matches that are queued or running.

    `games` includes the games of these matches. A `resting` entrant only plays if another one needs
    an opponent. One that is `overdue` does not wait for a better opponent. `sd` is the standard
    deviation of its rating, or None if there is no rating.
    """

    key: int
    owner: int
    rating: float
    games: int
    waiting_s: float
    busy: int = 0
    resting: bool = False
    overdue: bool = False
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
    open matches of an entrant. `runner_is_idle` says that a runner has nothing else to do. `groups`
    maps the entrants to the groups that matches have joined, until all are joined.
    """

    met: Mapping[frozenset[int], int]
    max_busy: int
    number: int
    entrants: int = 2
    runner_is_idle: bool = False
    groups: Mapping[int, int] | None = None


def choose(
    candidates: Sequence[Candidate],
    *,
    field: LadderActivity,
    random: Random,
    refused: set[int] | None = None,
) -> tuple[int, ...] | None:
    """Return the keys of the entrants of the next match, or None if there is none now.

    Two bots of one owner never meet, and an entrant with `max_busy` matches gets no other one. In a
    match of more than two, each further entrant is worth most to those chosen before. Who asks in
    vain is added to `refused` and not asked again: while matches are only made, no better opponent
    becomes free.
    """
    refused = set() if refused is None else refused
    free = [candidate for candidate in candidates if candidate.busy < field.max_busy]
    asking = [candidate for candidate in free if not candidate.resting]
    if not asking or len({candidate.owner for candidate in free}) < field.entrants:
        return None
    if field.number % ROUND == 0:
        asking.sort(key=lambda candidate: -candidate.waiting_s)
    else:
        asking.sort(key=lambda candidate: candidate.need)
    worths = _Worths(field, random)
    seated = None
    for first in asking:
        if seated is None and first.key not in refused:
            seated = _seat(first, candidates, field, worths)
            refused |= set() if seated else {first.key}
    if seated is None and field.runner_is_idle and not field.groups:
        idle = [candidate for candidate in free if candidate.busy == 0]
        tables = (_seat(first, idle, field, worths) for first in asking if first.busy == 0)
        seated = next((table for table in tables if table is not None), None)
    return None if seated is None else tuple(candidate.key for candidate in seated)


def _seat(
    first: Candidate, candidates: Sequence[Candidate], field: LadderActivity, worths: "_Worths"
) -> list[Candidate] | None:
    """Return the entrants of a match that begins with this one, or None if others are better."""
    chosen = [first]
    while len(chosen) < field.entrants:
        owners = {candidate.owner for candidate in chosen}
        others = [other for other in candidates if other.owner not in owners]
        values = [worths.of(chosen, other) for other in others]
        free = [
            (value, -place)
            for place, (value, other) in enumerate(zip(values, others, strict=True))
            if other.busy < field.max_busy
        ]
        if not free:
            return None
        best, place = max(free)
        if best < WORTH_A_MATCH * max(values) and not first.overdue:
            return None
        chosen.append(others[-place])
    return chosen


class _Worths:
    """The worths of matches, with a little noise that is drawn once for every two."""

    def __init__(self, activity: LadderActivity, random: Random) -> None:
        self._met, self._groups, self._random = activity.met, activity.groups, random
        self._noise: dict[frozenset[int], float] = {}

    def of(self, chosen: Sequence[Candidate], other: Candidate) -> float:
        """Return the worth of a match of another entrant with those chosen before."""
        if self._groups and self._groups[other.key] in {
            self._groups[rival.key] for rival in chosen
        }:
            return 0.0
        worth = sum(worth_of_two(rival, other) * self._factor(rival, other) for rival in chosen)
        repeats = sum(self._met.get(frozenset((rival.key, other.key)), 0) for rival in chosen)
        return worth * REPEAT**repeats

    def _factor(self, one: Candidate, other: Candidate) -> float:
        two = frozenset((one.key, other.key))
        if two not in self._noise:
            self._noise[two] = 1.0 + NOISE * self._random.random()
        return self._noise[two]


def groups_of(keys: Iterable[int], meetings: Iterable[Collection[int]]) -> dict[int, int]:
    """Return the group of each entrant that chains of meetings join, or nothing if there is one."""
    parents = {key: key for key in keys}

    def root(key: int) -> int:
        while parents[key] != key:
            parents[key] = key = parents[parents[key]]
        return key

    for met in meetings:
        roots = [root(key) for key in met if key in parents]
        parents.update(dict.fromkeys(roots, min(roots, default=0)))
    groups = {key: root(key) for key in parents}
    return groups if len(set(groups.values())) > 1 else {}


def worth_of_two(one: Candidate, other: Candidate) -> float:
    """Return the worth of a match of two, in square rating points."""
    p = elo.expected(one.rating, other.rating)
    return (one.variance + other.variance) * (p * (1.0 - p)) ** 2
