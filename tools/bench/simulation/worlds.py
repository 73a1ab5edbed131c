"""Bots of known strength, and what comes of their matches."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

BOTS = 32
SPREAD = 350.0  # standard deviation of the strengths, in rating points
DRAWS = 0.6  # Davidson's nu: equal bots draw 23 % of their games
SEAT = 30.0  # rating points that the better seat is worth; a match has each of both once
CYCLES = 250.0  # how far who beats whom goes in circles, where it does
GROWTH = 120.0  # mean and half of the spread of what a new version brings
RENEWALS = (150, 300, 450)  # matches after which a third of the bots has a new version


@dataclass(slots=True)
class World:
    """Strengths and places on a circle by bot; `growing` where new versions come."""

    strengths: list[float]
    angles: list[float]
    cycles: float
    growing: bool
    dice: Random

    def play(self, one: int, other: int) -> tuple[float, float]:
        """Play a match; give the points of one in its two games."""
        gap = self._gap(one, other)
        return self._game(gap + SEAT), self._game(gap - SEAT)

    def worths(self) -> list[float]:
        """Return what each bot expects against all others: the true ranking."""
        return [
            sum(_expected(self._gap(one, other)) for other in range(BOTS) if other != one)
            for one in range(BOTS)
        ]

    def renew(self, match: int) -> list[int]:
        """Return the bots that have a new version after so many matches, stronger by now."""
        if not self.growing or match not in RENEWALS:
            return []
        chosen = self.dice.sample(range(BOTS), BOTS // 3)
        for bot in chosen:
            self.strengths[bot] += self.dice.gauss(GROWTH, GROWTH / 2)
        return chosen

    def is_final(self, match: int) -> bool:
        """Return whether no further version comes."""
        return not self.growing or match >= RENEWALS[-1]

    def _gap(self, one: int, other: int) -> float:
        circle = self.cycles * math.sin(self.angles[one] - self.angles[other])
        return self.strengths[one] - self.strengths[other] + circle

    def _game(self, gap: float) -> float:
        win = math.pow(10.0, gap / 800.0)
        thrown = self.dice.random() * (win + DRAWS + 1.0 / win)
        return 1.0 if thrown < win else 0.5 if thrown < win + DRAWS else 0.0


def _expected(gap: float) -> float:
    win = math.pow(10.0, gap / 800.0)
    return (win + DRAWS / 2) / (win + DRAWS + 1.0 / win)


def _world(seed: int, *, cycles: float = 0.0, growing: bool = False) -> World:
    dice = Random(seed)  # noqa: S311 - games, not secrets
    return World(
        strengths=[dice.gauss(0.0, SPREAD) for _ in range(BOTS)],
        angles=[dice.uniform(0.0, math.tau) for _ in range(BOTS)],
        cycles=cycles,
        growing=growing,
        dice=dice,
    )


WORLDS: dict[str, Callable[[int], World]] = {
    "constant": _world,
    "in circles": lambda seed: _world(seed, cycles=CYCLES),
    "improving": lambda seed: _world(seed, growing=True),
}
