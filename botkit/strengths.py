"""An Elo list: the strengths of several bots from all their pairs of games at once. Arithmetic.

A bot is expected to take 1 / (1 + 10^(-d / 400)) of the points of a pair of games, where d is the
difference in Elo to the other bot (A. Elo, The Rating of Chessplayers, 1978; R. Bradley, M. Terry,
Rank analysis of incomplete block designs, 1952). The strengths are those with which every bot is
expected to have the points that it has. Their mean is 0.

The intervals take what the pairs deviate from the expectation, not what the model would have them
deviate, because the games of a pair need not be independent (P. Huber, The behavior of maximum
likelihood estimates under nonstandard conditions, 1967: the "sandwich"). They do not say how much
better a bot may do against one opponent than its strength tells.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from botkit.sprt import CONFIDENCE, HEAD_STEPS, LEVEL_SCORE

ELO_PER_LOGIT = 400 / math.log(10)
SMOOTHING = 0.1  # of a pair without points and of one with all, so that no difference is infinite
PRECISION = 1e-9
MAX_TURNS = 100
LONGEST_STEP = 2.0  # of a turn, in logits: far from the solution the slope misleads

Matrix = list[list[float]]


class Estimate(NamedTuple):
    """A number of Elo and its 95 % interval."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Strengths:
    """The strengths of bots, by their places, and the covariance of these; in logits."""

    logits: Sequence[float]
    covariance: Sequence[Sequence[float]]

    def of(self, place: int) -> Estimate:
        """Return the strength of a bot; that of the mean bot is 0."""
        return _estimate(self.logits[place], self.covariance[place][place])

    def gap(self, bot: int, other: int) -> Estimate:
        """Return by how much one bot is stronger than another."""
        among = self.covariance
        variance = among[bot][bot] + among[other][other] - 2 * among[bot][other]
        return _estimate(self.logits[bot] - self.logits[other], variance)

    def order(self) -> list[int]:
        """Return the places, that of the strongest bot first."""
        return sorted(range(len(self.logits)), key=lambda place: -self.logits[place])


def fit(bots: int, meetings: Mapping[tuple[int, int], Sequence[int]]) -> Strengths:
    """Return the strengths of so many bots.

    `meetings` holds, by the places of two bots, in how many pairs of games the first one took 0, ½,
    1, 1½ and 2 points. By meetings, every bot must be connected with every other one.
    """
    smoothed = {two: _smoothed(counts) for two, counts in meetings.items()}
    logits = [0.0] * bots
    for _turn in range(MAX_TURNS):
        off = [0.0] * bots
        slope = [[1 / bots] * bots for _ in range(bots)]  # holds the mean, which no game tells
        for (bot, other), weights in smoothed.items():
            expected = _expected(logits[bot] - logits[other])
            missing = sum(w * (a - expected) for a, w in weights)
            off[bot] += missing
            off[other] -= missing
            _add(slope, bot, other, sum(w for _, w in weights) * expected * (1 - expected))
        inverse = _inverse(slope)
        steps = _times(inverse, off)
        longest = max(map(abs, steps))
        shrink = min(1.0, LONGEST_STEP / longest) if longest else 1.0
        logits = [at + shrink * step for at, step in zip(logits, steps, strict=True)]
        if longest < PRECISION:
            break
    mean = sum(logits) / bots
    return Strengths([logit - mean for logit in logits], _sandwich(smoothed, logits, inverse))


def _sandwich(
    smoothed: Mapping[tuple[int, int], Sequence[tuple[float, float]]],
    logits: Sequence[float],
    inverse: Matrix,
) -> Matrix:
    """Return the covariance of the strengths."""
    spread = [[0.0] * len(logits) for _ in logits]
    for (bot, other), weights in smoothed.items():
        expected = _expected(logits[bot] - logits[other])
        pairs = sum(w for _, w in weights)
        squares = sum(w * (a - expected) ** 2 for a, w in weights)
        _add(spread, bot, other, squares * pairs / max(pairs - 1, LEVEL_SCORE))
    rows = [_times(inverse, row) for row in spread]  # both matrices are symmetric
    return [_times(inverse, column) for column in zip(*rows, strict=True)]


def _smoothed(counts: Sequence[int]) -> list[tuple[float, float]]:
    """Return each share of the points of a pair with its weight."""
    weights = [float(count) for count in counts]
    weights[0] += SMOOTHING
    weights[-1] += SMOOTHING
    return [(index / HEAD_STEPS, weight) for index, weight in enumerate(weights)]


def _expected(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def _add(matrix: Matrix, bot: int, other: int, amount: float) -> None:
    """Add what a meeting tells of a difference."""
    matrix[bot][bot] += amount
    matrix[other][other] += amount
    matrix[bot][other] -= amount
    matrix[other][bot] -= amount


def _times(matrix: Sequence[Sequence[float]], column: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, column, strict=True)) for row in matrix]


def _inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a positive definite matrix, by the elimination of Gauss and Jordan."""
    size = len(matrix)
    rows = [
        [*row, *(1.0 if place == own else 0.0 for place in range(size))]
        for own, row in enumerate(matrix)
    ]
    for at in range(size):
        pivot = rows[at][at]
        rows[at] = [value / pivot for value in rows[at]]
        for other in range(size):
            if other != at:
                factor = rows[other][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [row[size:] for row in rows]


def _estimate(logit: float, variance: float) -> Estimate:
    error = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * math.sqrt(max(0.0, variance))
    return Estimate(*(ELO_PER_LOGIT * value for value in (logit, logit - error, logit + error)))
