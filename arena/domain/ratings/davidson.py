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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from arena.domain.ratings import elo

Vector = NDArray[np.float64]
Indices = NDArray[np.int64]

ELO_PER_NAT = elo.SCALE / math.log(10.0)
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(9)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


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

    A meeting has its `row` in the design. `times` says how often it occurred.
    """

    players: list[int]
    design: sparse.csr_array  # sides that met x players
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


def gather(results: Iterable[MatchCounts], families: Iterable[Sequence[int]] = ()) -> ResultArrays:
    """Convert results to arrays, with the members of a family after the first that has results.

    Players and rows are sorted, so that equal results give equal arrays.
    """
    counted: dict[GameCounts, int] = {}
    for result in results:
        for meeting in result.meetings:
            counted[meeting] = counted.get(meeting, 0) + result.times
    meetings = sorted(counted)
    sides = list(dict.fromkeys((meeting.own, meeting.others) for meeting in meetings))
    rows = {both: number for number, both in enumerate(sides)}
    known = set(chain.from_iterable(chain.from_iterable(sides)))
    for family in families:
        known.update(dropwhile(lambda player: player not in known, family))
    players = sorted(known)
    table = np.array([each[2:] for each in meetings], dtype=np.float64).reshape(-1, 3).T
    return ResultArrays(
        players=players,
        design=_design(sides, players),
        row=np.array([rows[each.own, each.others] for each in meetings], dtype=np.int64),
        wins=table[0],
        draws=table[1],
        losses=table[2],
        times=np.array([counted[each] for each in meetings], dtype=np.float64),
    )


def log_probabilities(gap: Vector, nu: float) -> tuple[Vector, Vector, Vector]:
    """Return the logarithms of the probabilities of a win, a draw and a loss at a gap in Elo.

    Near equality a gap changes the expected points as in the Elo formula: with more draws, a
    strength changes them less, by 1 / (2 + nu) per unit where the Elo formula has 1 / 2.
    """
    strength = gap / ELO_PER_NAT * (2 + nu) / 2
    log_nu = math.log(nu)
    total = np.logaddexp(np.logaddexp(strength / 2, -strength / 2), log_nu)
    return strength / 2 - total, log_nu - total, -strength / 2 - total


def predict(gap: Vector, variance: Vector, nu: float) -> Prediction:
    """Predict a game for gaps that are known up to a variance, by Gauss-Hermite quadrature."""
    gaps = gap + NODES[:, None] * np.sqrt(variance)
    win, draw, loss = (np.exp(each) for each in log_probabilities(gaps, nu))
    points = win + draw / 2
    # A difference of squares would lose all digits if one side always wins.
    known = win * loss + draw * (win + loss) / 4
    mean = WEIGHTS @ points
    return Prediction(mean, WEIGHTS @ known, WEIGHTS @ (points - mean) ** 2)


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
