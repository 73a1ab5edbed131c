"""The Elo formula (A. Elo, The Rating of Chessplayers, 1978), as arithmetic alone.

A match is one event per entrant, whatever the number of its games:

    after = before + k * (score - expected)

where `score` is the mean of the entrant's points over its rated games (0 to 1) and `expected` the
mean of what the numbers of the two sides foretold of each:

    side     = mean of the numbers of the side's entrants
    expected = 1 / (1 + 10 ** ((other side - own side) / 400))

In both means a game weighs one over the entrants of the entrant's side. In a duel a side is one
entrant and all of this is the formula that everybody knows. The games of a match share one deal of
chance, so they are one piece of evidence and get one K.
"""

import math
from collections.abc import Sequence

START = 1500.0
SCALE = 400.0
PROVISIONAL_GAMES = 20
SETTLED_GAMES = 100
K_PROVISIONAL = 40.0
K_ESTABLISHED = 20.0
K_SETTLED = 10.0


def k_factor(games_before: int) -> float:
    """Return K for a version by its rated games so far: 40 below 20, 20 below 100, then 10."""
    if games_before < PROVISIONAL_GAMES:
        return K_PROVISIONAL
    return K_ESTABLISHED if games_before < SETTLED_GAMES else K_SETTLED


def of_side(numbers: Sequence[float]) -> float:
    """Return the number of a side whose entrants have these."""
    return sum(numbers) / len(numbers)


def expected(own: float, opponent: float) -> float:
    """Return the share of the points, 0 to 1, that the numbers of two sides foretell."""
    return 1.0 / (1.0 + math.pow(10.0, (opponent - own) / SCALE))


def updated(before: float, *, expected: float, score: float, k: float) -> float:
    """Return the number after a match."""
    return before + k * (score - expected)
