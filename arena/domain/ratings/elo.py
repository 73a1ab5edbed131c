"""The Elo formula (A. Elo, The Rating of Chessplayers, 1978), as pure arithmetic.

A match is one event per entrant, however many games it has:

    after = before + k * (score - expected)

where `score` is the mean of the entrant's points over its rated games (0 to 1) and `expected` is
the mean of the points that the ratings of the two sides predict for each game:

    side     = mean of the ratings of the side's entrants
    expected = 1 / (1 + 10 ** ((other side - own side) / 400))

In both means, the weight of a game is 1 / (number of entrants on the entrant's side). In a duel a
side is one entrant, so this is the usual Elo formula. The games of a match share their chance
events, so they are one piece of evidence and get one K.
"""

import math
from collections.abc import Sequence

START = 1500.0
SCALE = 400.0
NEW_GAMES = 20
SETTLED_GAMES = 100
K_NEW = 40.0
K_ESTABLISHED = 20.0
K_SETTLED = 10.0


def k_factor(games_before: int) -> float:
    """Return K for a version by its rated games so far: 40 below 20, 20 below 100, then 10."""
    if games_before < NEW_GAMES:
        return K_NEW
    return K_ESTABLISHED if games_before < SETTLED_GAMES else K_SETTLED


def of_side(ratings: Sequence[float]) -> float:
    """Return the rating of a side whose entrants have these ratings."""
    return sum(ratings) / len(ratings)


def expected(own: float, opponent: float) -> float:
    """Return the share of the points, 0 to 1, that the ratings of two sides predict."""
    return 1.0 / (1.0 + math.pow(10.0, (opponent - own) / SCALE))


def updated(before: float, *, expected: float, score: float, k: float) -> float:
    """Return the rating after a match."""
    return before + k * (score - expected)
