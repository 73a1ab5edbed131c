"""How many truths lie inside the 95 % intervals of the ratings, in worlds of many kinds.

Run it with `python -m tests.integration.ratings.coverage`.

A ladder of bots of known strength is played with the site's own choice of opponents, and its
ratings are compared with the truth when each bot that is looked at has played 3, 10 and 30 matches.
In most worlds these are all bots; in others one that is new, or has a new version, on a ladder that
has been played for a while. Where strengths are not all that decides, the truth is the rating that
foretells the expected score against all others. The status is 1 if fewer truths are inside than
chance explains where a kind of world has the wanted share.
"""

import argparse
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize, stats

from arena.domain.queue import opponent_choice
from arena.domain.queue.opponent_choice import Candidate, LadderActivity
from arena.domain.ratings import davidson, elo, fit
from arena.domain.ratings.fit import Estimate, GameCounts, MatchCounts

BOTS = 16
LOOKS = (3, 10, 30)  # matches of a bot that is looked at
BEFORE = 15  # matches of every bot, on average, before a new one comes
REFIT = 8  # matches between two fits
OPEN_PER_BOT = 2
VERSIONS = 1000  # the key of a version is that of its bot plus this number
WANTED, WANTED_OVERALL = 0.90, 0.94  # shares of truths inside
SURELY = 0.001  # probability of what is too few

Sides = tuple[tuple[int, ...], tuple[int, ...]]
Game = tuple[tuple[int, ...], tuple[int, ...], float]  # both sides, and the points of the first


@dataclass
class World:
    """Bots of known strength. `entrants` play in a match, each once in each seat.

    With the probability `alike` the second game of two ends like the first. `circle` is how many
    rating points go in circles, and `by_seat` the standard deviation of what a bot is better or
    worse in the first seat of three.
    """

    strengths: np.ndarray
    random: np.random.Generator
    nu: float = 0.4
    alike: float = 0.3
    circle: float = 0.0
    entrants: int = 2
    by_seat: float = 0.0
    angles: np.ndarray = field(init=False)
    first_seat: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        size = len(self.strengths) + 1  # room for a newcomer
        self.angles = self.random.uniform(0, math.tau, size)
        self.first_seat = self.random.normal(0, self.by_seat, size)

    def gap(self, own: tuple[int, ...], others: tuple[int, ...]) -> float:
        """Return the gap of two sides, one of one bot; it sits in the first seat of three."""
        gap = float(self.strengths[list(own)].mean() - self.strengths[list(others)].mean())
        if self.entrants == 2:
            return gap + self.circle * math.sin(self.angles[own[0]] - self.angles[others[0]])
        return gap + float(self.first_seat[own[0]])

    def sides(self, bots: tuple[int, ...]) -> list[Sides]:
        """Return the two sides of each game of a match."""
        if self.entrants == 2:
            return [(bots[:1], bots[1:])] * 2
        return [((bot,), tuple(sorted(set(bots) - {bot}))) for bot in bots]

    def play(self, bots: tuple[int, ...]) -> list[Game]:
        """Return the sides of each game, and the points of the first of them."""
        games: list[Game] = []
        for own, others in self.sides(bots):
            points = self._points(self.gap(own, others))
            if games and self.entrants == 2 and self.random.random() < self.alike:
                points = games[0][2]
            games.append((own, others, points))
        return games

    def _points(self, gap: float) -> float:
        chances = np.exp(np.array(davidson.log_probabilities(np.array(gap), self.nu)))
        return float(self.random.choice((1.0, 0.5, 0.0), p=chances / chances.sum()))

    def truths(self) -> np.ndarray:
        """Return the ratings that foretell the points against all, around the mean."""
        if self.entrants == 2 and not self.circle:
            return np.asarray(self.strengths - self.strengths.mean())
        size = len(self.strengths)
        meet = combinations(range(size), self.entrants)
        rows = [sides for bots in meet for sides in self.sides(bots)]
        design = np.zeros((len(rows), size))
        for number, (own, others) in enumerate(rows):
            design[number, list(own)] = 1 / len(own)
            design[number, list(others)] = -1 / len(others)
        known = self._expected(np.array([self.gap(*sides) for sides in rows]))

        def surplus(ratings: np.ndarray) -> np.ndarray:
            return np.asarray(
                design.T @ (known - self._expected(design @ ratings)) - ratings.mean()
            )

        found = optimize.root(surplus, self.strengths - self.strengths.mean())
        return np.asarray(found.x - found.x.mean())

    def _expected(self, gaps: np.ndarray) -> np.ndarray:
        win, draw, _loss = davidson.log_probabilities(gaps, self.nu)
        return np.asarray(np.exp(win) + np.exp(draw) / 2)


class Ladder:
    """The site's ladder: Elo numbers, ratings, and who meets next."""

    def __init__(self, world: World, random: Random) -> None:
        self.world, self.random = world, random
        size = len(world.strengths)
        self.elo = [elo.START] * size
        self.games = [0] * size
        self.version = list(range(size))
        self.waits_since = [0] * size
        self.made: list[frozenset[int]] = []
        self.results: Counter[MatchCounts] = Counter()
        self.matches: Counter[int] = Counter()  # by version
        self.estimates: dict[int, Estimate] = {}

    def play(self) -> None:
        """Choose, play and rate one match."""
        if len(self.made) % REFIT == 0:
            self.estimates = self.fit()
        bots = self._choose()
        self.made.append(frozenset(bots))
        games = self.world.play(bots)
        meetings = []
        for own, others, points in games:
            mine, theirs = (tuple(self.version[bot] for bot in side) for side in (own, others))
            counts = int(points == 1.0), int(points == 0.5), int(points == 0.0)
            meetings.append(GameCounts(mine, theirs, *counts))
        if self.world.entrants == 2:  # the site counts both games together
            counted = np.sum([meeting[2:] for meeting in meetings], axis=0)
            meetings = [GameCounts(*meetings[0][:2], *map(int, counted))]
        self.results[MatchCounts(tuple(meetings))] += 1
        for bot in bots:
            self.waits_since[bot] = len(self.made)
            self.matches[self.version[bot]] += 1
        self._move(bots, games)

    def fit(self) -> dict[int, Estimate]:
        """Return the ratings of all versions."""
        results = [MatchCounts(result.meetings, times) for result, times in self.results.items()]
        families = [(bot, bot + VERSIONS) for bot in range(len(self.version))]
        return dict(fit.fit(results, centre_on=self.version, families=families).estimates)

    def renew(self, bot: int) -> None:
        """Add a new version of a bot, which inherits its Elo number."""
        self.version[bot] += VERSIONS
        self.games[bot] = 0

    def _choose(self) -> tuple[int, ...]:
        size = len(self.version)
        field = LadderActivity(
            met=Counter(
                frozenset(two) for bots in self.made[-2 * size :] for two in combinations(bots, 2)
            ),
            max_busy=OPEN_PER_BOT,
            number=len(self.made) + 1,
            entrants=self.world.entrants,
        )
        crowd = [self._candidate(bot) for bot in range(size)]
        chosen = opponent_choice.choose(crowd, field=field, random=self.random)
        assert chosen is not None
        return chosen

    def _candidate(self, bot: int) -> Candidate:
        found = self.estimates.get(self.version[bot])
        return Candidate(
            key=bot,
            owner=bot,
            rating=self.elo[bot],
            games=self.games[bot],
            waiting_s=float(-self.waits_since[bot]),
            sd=(found.high - found.low) / 2 / fit.DEVIATIONS if found else None,
        )

    def _move(self, bots: tuple[int, ...], games: list[Game]) -> None:
        before = list(self.elo)
        for bot in bots:
            total = weight = 0.0
            for own, others, points in games:
                side, against = (own, others) if bot in own else (others, own)
                expected = elo.expected(
                    *(elo.of_side([before[each] for each in one]) for one in (side, against))
                )
                scored = points if bot in own else 1 - points
                total += (scored - expected) / len(side)
                weight += 1 / len(side)
            self.elo[bot] += elo.k_factor(self.games[bot]) * total / weight
            self.games[bot] += len(games)


class Found(NamedTuple):
    """Whether a truth was inside its interval, and half of the width."""

    inside: bool
    half_width: float


def _normal(random: np.random.Generator) -> np.ndarray:
    return random.normal(0, 250, BOTS)


def _newcomer(by: float) -> Callable[[np.random.Generator], np.ndarray]:
    return lambda random: np.append(random.normal(0, 250, BOTS), by)


def _clusters(random: np.random.Generator) -> np.ndarray:
    return np.repeat([-250.0, 250.0], BOTS // 2) + random.normal(0, 100, BOTS)


class Kind(NamedTuple):
    """A kind of world. `joins` is whether the last bot comes late, `jumps` what a version gains."""

    strengths: Callable[[np.random.Generator], np.ndarray] = _normal
    options: dict[str, Any] = {}
    joins: bool = False
    jumps: float | None = None


KINDS = {
    "normal": Kind(),
    "clusters": Kind(_clusters),
    "newcomer +500": Kind(_newcomer(500.0), joins=True),
    "newcomer -500": Kind(_newcomer(-500.0), joins=True),
    "new version +400": Kind(jumps=400.0),
    "new version -800": Kind(jumps=-800.0),
    "new version as before": Kind(jumps=0.0),
    "not transitive": Kind(options={"circle": 150.0}),
    "both games alike": Kind(options={"alike": 1.0, "nu": 0.01}),
    "drawish": Kind(options={"nu": 3.0}),
    "three seats": Kind(options={"entrants": 3, "by_seat": 100.0}),
}


def run(kind: Kind, rng_seed: int) -> Iterator[tuple[int, Found]]:
    """Play one ladder; yield for each look and each bot that is looked at what was found."""
    random = np.random.default_rng(rng_seed)
    world = World(kind.strengths(random), random, **kind.options)
    ladder = Ladder(world, Random(rng_seed))
    seen = range(len(world.strengths))
    if kind.joins:
        newcomer = len(seen) - 1
        strengths, world.strengths = world.strengths, world.strengths[:-1]
        ladder = Ladder(world, Random(rng_seed))
        _play_until(ladder, range(newcomer), BEFORE)
        world.strengths = strengths
        _join(ladder)
        seen = range(newcomer, newcomer + 1)
    if kind.jumps is not None:
        _play_until(ladder, seen, BEFORE)
        bot = int(random.integers(len(seen)))
        world.strengths[bot] += kind.jumps
        ladder.renew(bot)
        seen = range(bot, bot + 1)
    truths = world.truths()
    for look in LOOKS:
        _play_until(ladder, seen, look)
        estimates = ladder.fit()
        for bot in seen:
            found = estimates[ladder.version[bot]]
            inside = found.low <= elo.START + truths[bot] <= found.high
            yield look, Found(inside, (found.high - found.low) / 2)


def _play_until(ladder: Ladder, bots: range, matches: int) -> None:
    versions = [ladder.version[bot] for bot in bots]
    while sum(ladder.matches[version] for version in versions) < matches * len(versions):
        ladder.play()


def _join(ladder: Ladder) -> None:
    ladder.version.append(len(ladder.version))
    ladder.elo.append(elo.START)
    ladder.games.append(0)
    ladder.waits_since.append(len(ladder.made))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20, help="ladders with one bot to look at")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=KINDS)
    chosen = parser.parse_args()
    everything: list[bool] = []
    low: list[str] = []
    _show(f"{'':22} {'truths':>7}" + "".join(f"{look:>14}" for look in LOOKS))
    for name in chosen.kind or KINDS:
        kind = KINDS[name]
        one_bot = kind.joins or kind.jumps is not None
        found: dict[int, list[Found]] = {look: [] for look in LOOKS}
        for number in range(chosen.repeats if one_bot else math.ceil(chosen.repeats / 5)):
            for look, one in run(kind, 1000 * chosen.seed + number):
                found[look].append(one)
        cells = []
        for look in LOOKS:
            inside = [one.inside for one in found[look]]
            everything += inside
            half = float(np.median([one.half_width for one in found[look]]))
            cells.append(f"{np.mean(inside):7.0%} ±{half:5.0f}")
            low += [name] if _are_too_few(inside, WANTED) else []
        _show(f"{name:22} {len(found[LOOKS[0]]):7} " + " ".join(cells))
    share = float(np.mean(everything))
    _show(f"Figures: {len(everything)} truths, {share:.2%} inside")
    return int(_are_too_few(everything, WANTED_OVERALL) or bool(low))


def _are_too_few(inside: list[bool], wanted: float) -> bool:
    return bool(stats.binom.cdf(sum(inside), len(inside), wanted) < SURELY)


def _show(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
