"""Davidson's model of games with draws, and the results of a ladder as arrays.

R. R. Davidson, On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison
Experiments, JASA 65 (1970). Between sides whose strengths differ by d, with the draw parameter nu,

    win : draw : loss = exp(d / 2) : nu : exp(-d / 2)

A side of several players has the mean of their strengths.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, dropwhile
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from arena.domain.ratings import elo

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Vector = NDArray[np.float64]
Indices = NDArray[np.int64]

ELO_PER_NAT = elo.SCALE / math.log(10.0)
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(9)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
BLOCK = 4096  # gaps that are computed at once


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


Duels = NDArray[np.void]  # rows of `DUEL`: results of matches of one against one
DUEL = np.dtype(
    [("own", np.int64), ("other", np.int64)]
    + [(name, np.int32) for name in ("wins", "draws", "losses", "times")]
)


@dataclass(frozen=True, slots=True)
class ResultArrays:
    """Results as arrays. `design` has a row for every two sides that met: +1/n and -1/m.

    A meeting has its `row` in the design. `times` says how often it occurred.
    """

    players: list[int]
    design: "csr_array"  # sides that met x players
    row: Indices
    wins: Vector
    draws: Vector
    losses: Vector
    times: Vector

    @property
    def played(self) -> Vector:
        """The number of games of each meeting."""
        return self.wins + self.draws + self.losses

    def by_row(self, values: Vector) -> Vector:
        """Sum values of the meetings by the two sides that met."""
        rows = self.design.shape[0]
        return np.bincount(self.row, self.times * values, minlength=rows).astype(np.float64)


class Prediction(NamedTuple):
    """For one game, averaged over what is not known of the gap.

    `points` are expected, `variance` is theirs if the gap were known, and `blur` is the variance of
    the expected points, because it is not.
    """

    points: Vector
    variance: Vector
    blur: Vector


def gather(
    results: Iterable[MatchCounts] | Duels, families: Iterable[Sequence[int]] = ()
) -> ResultArrays:
    """Convert results to arrays, with the members of a family after the first that has results.

    Players and rows are sorted, so that equal results give equal arrays.
    """
    sides, table = _numbered(results)
    known = set(chain.from_iterable(sides))
    for family in families:
        known.update(dropwhile(lambda player: player not in known, family))
    players = sorted(known)
    order = np.lexsort(table[4::-1])
    table = table[:, order]
    times, table = table[5], table[:5]
    first = _first_of_equal(table)
    times = np.add.reduceat(times, first) if len(first) else times
    own, others, wins, draws, losses = table[:, first]
    pairs = _first_of_equal(np.stack([own, others]))
    members = _members(sides, players)
    return ResultArrays(
        players=players,
        design=scipy.sparse.csr_array(members[own[pairs]] - members[others[pairs]]),
        row=np.repeat(np.arange(len(pairs)), np.diff(np.append(pairs, len(own)))),
        wins=wins.astype(np.float64),
        draws=draws.astype(np.float64),
        losses=losses.astype(np.float64),
        times=times.astype(np.float64),
    )


def _numbered(results: Iterable[MatchCounts] | Duels) -> tuple[list[tuple[int, ...]], Indices]:
    """Return all sides, sorted, and the results as six rows with the places of sides in that list.

    The rows are both sides, wins, draws, losses, and how many times.
    """
    if isinstance(results, np.ndarray):
        ends = np.concatenate([results["own"], results["other"]])
        players, place = np.unique(ends, return_inverse=True)
        counts = (results[name] for name in ("wins", "draws", "losses", "times"))
        return [(player,) for player in players.tolist()], np.stack(
            [*place.reshape(2, -1), *counts]
        ).astype(np.int64)
    rows = [(*meeting, result.times) for result in results for meeting in result.meetings]
    sides = sorted({side for row in rows for side in row[:2]})
    number = {side: place for place, side in enumerate(sides)}
    numbered = [(number[own], number[others], *counts) for own, others, *counts in rows]
    return sides, np.array(numbered, dtype=np.int64).reshape(-1, 6).T


def _first_of_equal(columns: Indices) -> Indices:
    """Return where columns begin that differ from the one before."""
    differs = np.any(np.diff(columns, axis=1) != 0, axis=0)
    return np.flatnonzero(np.append(columns.shape[1] > 0, differs)[: columns.shape[1]])


def _members(sides: list[tuple[int, ...]], players: list[int]) -> "csr_array":
    """Return the share of each player in each side."""
    size = np.array([len(side) for side in sides], dtype=np.int64)
    player = np.searchsorted(players, list(chain.from_iterable(sides)))
    ends = np.concatenate([[0], np.cumsum(size)])
    shape = len(sides), len(players)
    return scipy.sparse.csr_array((np.repeat(1.0 / size, size), player, ends), shape=shape)


def log_probabilities(gap: Vector, nu: float) -> tuple[Vector, Vector, Vector]:
    """Return the logarithms of the probabilities of a win, a draw and a loss at a gap in Elo.

    Near equality a gap changes the expected points as in the Elo formula: with more draws, a
    strength changes them less, by 1 / (2 + nu) per unit where the Elo formula has 1 / 2.
    """
    half = gap / ELO_PER_NAT * (2 + nu) / 4
    weaker = np.exp(-2 * np.abs(half))  # relative to the stronger one, so that nothing overflows
    total = np.abs(half) + np.log(1 + weaker + nu * np.sqrt(weaker))
    return half - total, math.log(nu) - total, -half - total


def predict(gap: Vector, variance: Vector, nu: float) -> Prediction:
    """Predict a game for gaps that are known up to a variance, by Gauss-Hermite quadrature."""
    parts = [slice(first, first + BLOCK) for first in range(0, max(len(gap), 1), BLOCK)]
    predictions = [_predict(gap[part], variance[part], nu) for part in parts]
    return Prediction(*map(np.concatenate, zip(*predictions, strict=True)))


def _predict(gap: Vector, variance: Vector, nu: float) -> Prediction:
    gaps = gap + NODES[:, None] * np.sqrt(variance)
    win, draw, loss = (np.exp(log) for log in log_probabilities(gaps, nu))
    points = win + draw / 2
    # A difference of squares would lose all digits if one side always wins.
    known = win * loss + draw * (win + loss) / 4
    mean = WEIGHTS @ points
    return Prediction(mean, WEIGHTS @ known, WEIGHTS @ (points - mean) ** 2)
