"""Results of ladders as the fit of ratings takes them, without a database."""

import numpy as np

from arena.domain.ratings import davidson
from arena.domain.ratings.davidson import Duels

SPREAD = 250.0  # standard deviation of the strengths, in Elo
NU = 0.4


def drawn_duels(bots: int, *, matches: int) -> Duels:
    """Return the duels of so many bots that meet at random, each in so many matches of two games.

    Strengths, opponents and results follow from the number of bots.
    """
    random = np.random.default_rng(bots)
    strengths = random.normal(0.0, SPREAD, bots)
    own, others = random.integers(bots, size=(2, bots * matches // 2))
    own, others = own[own != others], others[own != others]
    logs = davidson.log_probabilities(strengths[own] - strengths[others], NU)
    chances = np.exp(np.stack(logs, axis=1))
    counts = random.multinomial(2, chances / chances.sum(axis=1, keepdims=True))
    results = np.ones(len(own), davidson.DUEL)
    results["own"], results["other"] = own, others
    results["wins"], results["draws"], results["losses"] = counts.T
    return results
