"""Davidson's model of games with draws, over arrays: probabilities, score and information.

R. R. Davidson, On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison
Experiments, JASA 65 (1970). Between sides whose strengths differ by d, with the draw parameter nu,

    win : draw : loss = exp(d / 2) : nu : exp(-d / 2)

A side of several players has the mean of their strengths. In log(nu) and the strengths this is an
exponential family: its sufficient statistics are the points of a side for d, and the count of draws
for nu.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Vector = NDArray[np.float64]
Indices = NDArray[np.int64]

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(7)


class GameCounts(NamedTuple):
    """The games of one match between the same two sides, counted from the view of `own`."""

    own: tuple[int, ...]
    others: tuple[int, ...]
    wins: int
    draws: int
    losses: int


class MatchCounts(NamedTuple):
    """The result of a match, one meeting per two sides. `times` matches had this result."""

    meetings: tuple[GameCounts, ...]
    times: int = 1


@dataclass(frozen=True, slots=True)
class ResultArrays:
    """Results as arrays. `design` has a row for every two sides that met: +1/n and -1/m.

    A meeting has its `row` in the design and `match`, the index of its result. `times` says how
    often each result occurred.
    """

    players: list[int]
    design: sparse.csr_array  # sides that met x players
    row: Indices
    match: Indices
    wins: Vector
    draws: Vector
    losses: Vector
    times: Vector  # by result

    @property
    def matches(self) -> float:
        """The number of matches."""
        return float(self.times.sum())

    @property
    def weight(self) -> Vector:
        """How often each meeting occurred."""
        return self.times[self.match]

    @property
    def played(self) -> Vector:
        """The number of games of each meeting."""
        return self.wins + self.draws + self.losses

    def by_row(self, values: Vector) -> Vector:
        """Sum values of the meetings by the two sides that met."""
        rows = self.design.shape[0]
        return np.bincount(self.row, self.weight * values, minlength=rows).astype(np.float64)

    def by_match(self, values: Vector) -> sparse.csr_array:
        """Return values of the meetings as a table: results x two sides that met."""
        shape = len(self.times), self.design.shape[0]
        return sparse.csr_array((values, (self.match, self.row)), shape=shape)


@dataclass(frozen=True, slots=True)
class Strengths:
    """Strengths of the players, log(nu), and the variance of each row's difference of strengths.

    If the variance `blur` is 0, the differences are taken as known. Otherwise the moments are means
    over the normal distributions of the differences, by Gauss-Hermite quadrature.
    """

    values: Vector
    log_nu: float
    blur: Vector


class Moments(NamedTuple):
    """By row, for one game: expected points, the probability of a draw, and their covariances."""

    points: Vector
    draw: Vector
    var_points: Vector
    var_draw: Vector
    crossed: Vector
    log_total: Vector


def gather(results: Iterable[MatchCounts]) -> ResultArrays:
    """Convert results to arrays. Players are sorted."""
    rows: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    meetings: list[tuple[int, int, int, int, int]] = []
    times: list[int] = []
    for number, result in enumerate(results):
        times.append(result.times)
        for own, others, *counts in result.meetings:
            row = rows.setdefault((own, others), len(rows))
            wins, draws, losses = counts
            meetings.append((row, number, wins, draws, losses))
    players = sorted(set(chain.from_iterable(chain.from_iterable(rows))))
    table = np.array(meetings, dtype=np.int64).reshape(-1, 5).T
    return ResultArrays(
        players=players,
        design=_design(list(rows), players),
        row=table[0],
        match=table[1],
        wins=table[2].astype(np.float64),
        draws=table[3].astype(np.float64),
        losses=table[4].astype(np.float64),
        times=np.array(times, dtype=np.float64),
    )


def moments(evidence: ResultArrays, at: Strengths) -> Moments:
    """Return by row what the model predicts for one game, averaged over the uncertainty."""
    gap, deviation = evidence.design @ at.values, np.sqrt(at.blur)
    predicted = [_moments_of_gap(gap + node * deviation, at.log_nu) for node in NODES]
    return Moments(
        *(np.average(each, axis=0, weights=WEIGHTS) for each in zip(*predicted, strict=True))
    )


def _moments_of_gap(gap: Vector, log_nu: float) -> Moments:
    total = np.logaddexp(np.logaddexp(gap / 2, -gap / 2), log_nu)
    win, draw, loss = np.exp(gap / 2 - total), np.exp(log_nu - total), np.exp(-gap / 2 - total)
    points = win + draw / 2
    # A difference of squares would lose all digits if one side always wins.
    var = win * loss + draw * (win + loss) / 4
    return Moments(points, draw, var, draw * (1 - draw), draw * (0.5 - points), total)


def log_likelihood(evidence: ResultArrays, at: Strengths) -> float:
    """Return the log-likelihood of all games as if they were independent."""
    gap = evidence.design @ at.values
    won = evidence.by_row((evidence.wins - evidence.losses) / 2)
    drawn = evidence.by_row(evidence.draws)
    draws = drawn.sum() * at.log_nu if drawn.any() else 0.0
    return float(
        won @ gap + draws - evidence.by_row(evidence.played) @ moments(evidence, at).log_total
    )


def score(evidence: ResultArrays, at: Strengths) -> Vector:
    """Return the gradient of the log-likelihood: by strength, and last by log(nu)."""
    predicted = moments(evidence, at)
    games = evidence.by_row(evidence.played)
    points = evidence.by_row(evidence.wins + evidence.draws / 2)
    drawn = evidence.by_row(evidence.draws).sum() - games @ predicted.draw
    return np.append(evidence.design.T @ (points - games * predicted.points), drawn)


def information(evidence: ResultArrays, at: Strengths) -> sparse.csr_array:
    """Return the information matrix of independent games: by strength, and last by log(nu)."""
    design, predicted = evidence.design, moments(evidence, at)
    games = evidence.by_row(evidence.played)
    by_strength = design.T @ sparse.diags_array(games * predicted.var_points) @ design
    column = sparse.csr_array((design.T @ (games * predicted.crossed))[:, None])
    drawn = np.array([[games @ predicted.var_draw]])
    return sparse.csr_array(sparse.block_array([[by_strength, column], [column.T, drawn]]))


def _design(
    rows: list[tuple[tuple[int, ...], tuple[int, ...]]], players: list[int]
) -> sparse.csr_array:
    place = {player: number for number, player in enumerate(players)}
    entries = [
        (row, place[player], sign / len(side))
        for row, sides in enumerate(rows)
        for sign, side in zip((1.0, -1.0), sides, strict=True)
        for player in side
    ]
    at_row, at_player, share = zip(*entries, strict=True) if entries else ((), (), ())
    shape = len(rows), len(players)
    return sparse.csr_array((share, (at_row, at_player)), shape=shape, dtype=np.float64)
