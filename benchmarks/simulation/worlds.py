"""Bots of known strength, and what comes of their matches."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

BOTS = 32
SPREAD = 350.0  # standard deviation of the strengths, in rating points
DRAWS = 0.6  # Davidson's nu: equal bots draw 23 % of their games
SEAT = 30.0  # rating points that the better seat is worth; a match has each of both once
CYCLES = 250.0  # how far who beats whom goes in circles, where it does
GROWTH = 120.0  # mean and half of the spread of what a new version brings
RENEWALS = (150, 300, 450)  # matches after which a third of the bots has a new version
DRAWISH = 8.0  # Davidson's nu: equal bots draw 80 % of their games
CLUSTERS = (-250.0, 250.0)  # the means of two clusters,
CLUSTER_SPREAD = 100.0  # and the standard deviation in each
ARRIVAL = 300  # matches after which newcomers take the places of others
NEWCOMERS = 8
NEWCOMER = 500.0  # how far they are from the mean, half of them below


@dataclass(slots=True)
class World:
    """Strengths and places on a circle by bot; `draws` is Davidson's nu.

    `renewals` are the matches after which a third of the bots has a stronger version, `arrival` the
    match after which newcomers take the places of others. After `most_matches`, the ladder ends.
    """

    strengths: list[float]
    angles: list[float]
    dice: Random
    cycles: float = 0.0
    draws: float = DRAWS
    renewals: tuple[int, ...] = ()
    arrival: int = 0
    most_matches: int = 2500

    def play(self, one: int, other: int) -> tuple[float, float]:
        """Play a match; give the points of one in its two games."""
        gap = self._gap(one, other)
        return self._game(gap + SEAT), self._game(gap - SEAT)

    def worths(self) -> list[float]:
        """Return what each bot expects against all others: the true ranking."""
        return [
            sum(self._expected(self._gap(one, other)) for other in range(BOTS) if other != one)
            for one in range(BOTS)
        ]

    def renew(self, match: int) -> list[int]:
        """Return the bots that have a new version after so many matches, stronger by now."""
        if match not in self.renewals:
            return []
        chosen = self.dice.sample(range(BOTS), BOTS // 3)
        for bot in chosen:
            self.strengths[bot] += self.dice.gauss(GROWTH, GROWTH / 2)
        return chosen

    def welcome(self, match: int) -> list[int]:
        """Return the places of bots that newcomers take after so many matches."""
        if match != self.arrival:
            return []
        chosen = self.dice.sample(range(BOTS), NEWCOMERS)
        for number, bot in enumerate(chosen):
            self.strengths[bot] = NEWCOMER if number % 2 else -NEWCOMER
        return chosen

    def settled(self) -> int:
        """Return the number of matches after which nothing changes any more."""
        return max((*self.renewals, self.arrival))

    def _gap(self, one: int, other: int) -> float:
        circle = self.cycles * math.sin(self.angles[one] - self.angles[other])
        return self.strengths[one] - self.strengths[other] + circle

    def _game(self, gap: float) -> float:
        win = math.pow(10.0, gap / 800.0)
        thrown = self.dice.random() * (win + self.draws + 1.0 / win)
        return 1.0 if thrown < win else 0.5 if thrown < win + self.draws else 0.0

    def _expected(self, gap: float) -> float:
        win = math.pow(10.0, gap / 800.0)
        return (win + self.draws / 2) / (win + self.draws + 1.0 / win)


def normal(seed: int) -> World:
    """Return a world of normally distributed strengths."""
    dice = Random(seed)  # noqa: S311 - games, not secrets
    strengths = [dice.gauss(0.0, SPREAD) for _ in range(BOTS)]
    return World(strengths, [dice.uniform(0.0, math.tau) for _ in range(BOTS)], dice)


def clusters(seed: int) -> World:
    """Return a world of two clusters."""
    world = normal(seed)
    means = (CLUSTERS[bot % len(CLUSTERS)] for bot in range(BOTS))
    world.strengths = [world.dice.gauss(mean, CLUSTER_SPREAD) for mean in means]
    world.most_matches = 12_000  # nearly equal bots are hard to order
    return world


WORLDS: dict[str, Callable[[int], World]] = {
    "constant": normal,
    "clusters": clusters,
    "newcomers": lambda seed: replace(normal(seed), arrival=ARRIVAL),
    "in circles": lambda seed: replace(normal(seed), cycles=CYCLES),
    "improving": lambda seed: replace(normal(seed), renewals=RENEWALS),
    "drawish": lambda seed: replace(normal(seed), draws=DRAWISH),
}
