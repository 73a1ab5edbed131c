"""A simulated ladder: bots of known strength, the site's choice of opponents and its ratings."""

import math
from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

import numpy as np
from scipy import optimize

from arena.domain.queue import opponent_choice
from arena.domain.queue.opponent_choice import Candidate, LadderActivity
from arena.domain.ratings import davidson, elo, fit
from arena.domain.ratings.fit import Estimate, Fit, GameCounts, MatchCounts

REFIT = 8  # matches between two fits
OPEN_PER_BOT = 2
VERSIONS = 1000  # the key of a version is that of its bot plus this number

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
    """The site's ladder: ratings, who meets next, and the online Elo that chooses.

    Each bot is its own owner's. A subclass may choose who meets, and who is away.
    """

    def __init__(self, world: World, random: Random, refit: int = REFIT) -> None:
        self.world, self.random, self.refit = world, random, refit
        size = len(world.strengths)
        self.elo = [elo.START] * size
        self.games = [0] * size
        self.version = list(range(size))  # that plays
        self.newest = list(range(size))
        self.waits_since = [0] * size
        self.made: list[frozenset[int]] = []
        self.results: Counter[MatchCounts] = Counter()
        self.matches: Counter[int] = Counter()  # by version
        self.estimates: Mapping[int, Estimate] = {}

    def play(self) -> None:
        """Choose, play and rate one match."""
        if len(self.made) % self.refit == 0:
            self.estimates = self.fit().estimates
        bots = self.choose()
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

    def fit(self) -> Fit:
        """Return the fit of all versions."""
        results = [MatchCounts(result.meetings, times) for result, times in self.results.items()]
        families = [
            range(bot, version + VERSIONS, VERSIONS) for bot, version in enumerate(self.newest)
        ]
        return fit.fit(results, centre_on=self.version, families=families)

    def renew(self, bot: int) -> None:
        """Add a new version of a bot, which inherits its online Elo."""
        self.version[bot] = self.newest[bot] = self.newest[bot] + VERSIONS
        self.games[bot] = 0

    def choose(self, *, random: Random | None = None, away: Container[int] = ()) -> tuple[int, ...]:
        """Return the bots of the next match, as the site chooses them among those not away."""
        size = len(self.version)
        field = LadderActivity(
            met=self.met(),
            max_busy=OPEN_PER_BOT,
            number=len(self.made) + 1,
            entrants=self.world.entrants,
        )
        crowd = [self._candidate(bot) for bot in range(size) if bot not in away]
        chosen = opponent_choice.choose(crowd, field=field, random=random or self.random)
        assert chosen is not None
        return chosen

    def met(self) -> Counter[frozenset[int]]:
        """Count the recent meetings of every two bots."""
        recent = self.made[-2 * len(self.version) :]
        return Counter(frozenset(two) for bots in recent for two in combinations(bots, 2))

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
