"""The batch fit of a ladder: strengths from all matches at once, with 95 % intervals and tie bands.

The model is Davidson's (see `davidson`) with weak Gaussian priors. A match, not a game, is the unit
of evidence: its games share one deal of chance. How much more or less the matches of this ladder
scatter than independent games would is its `dispersion`, estimated over all of them; the
log-likelihood is divided by it. `docs/adr/0019` says why, `tests/arena/coverage.py` how well.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from arena.domain import davidson, elo
from arena.domain.covariance import Spread, solve, spread
from arena.domain.davidson import Evidence, Meeting, Result, Vector

__all__ = ["Estimate", "Fit", "Meeting", "Priors", "Result", "fit", "tie_bands"]

ELO_PER_NAT = elo.SCALE / math.log(10.0)
QUANTILE = 1.959963984540054  # of the normal distribution, for 95 %
TOLERANCE = 1e-9  # of a step, in natural units
MOST_STEPS = 200
DISPERSION_TOLERANCE = 1e-5
MOST_ROUNDS = 100


class Estimate(NamedTuple):
    """A strength on the Elo scale and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Priors:
    """How little is known beforehand.

    Strengths have a standard deviation of `strength_sd` (Elo) about a common mean; 500 is worth
    less than half a game against an equal. The logarithm of the draw parameter has one of
    `draw_sd` about 0. The dispersion is 1 as if `matches` had shown it; with `dispersion` it is
    not estimated but this.
    """

    strength_sd: float = 500.0
    draw_sd: float = 2.0
    matches: float = 10.0
    dispersion: float | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    """Estimates by player; the draw parameter; how much matches scatter beside lone games."""

    estimates: Mapping[int, Estimate]
    draw: float
    dispersion: float


@dataclass(slots=True)
class _Point:
    """Where the search stands; the last of `precision` is the prior of log(nu)."""

    strengths: Vector
    log_nu: float
    precision: Vector
    dispersion: float

    def objective(self, evidence: Evidence) -> float:
        told = davidson.log_likelihood(evidence, self.strengths, self.log_nu)
        squares = float(self.precision @ self._known**2)
        return told / self.dispersion - squares / 2

    def gradient(self, evidence: Evidence) -> Vector:
        told = davidson.score(evidence, self.strengths, self.log_nu)
        return np.asarray(told / self.dispersion - self.precision * self._known)

    def certainty(self, evidence: Evidence) -> sparse.csr_array:
        told = davidson.information(evidence, self.strengths, self.log_nu)
        return sparse.csr_array(told / self.dispersion + sparse.diags_array(self.precision))

    def moved(self, step: Vector) -> "_Point":
        log_nu = self.log_nu + float(step[-1])
        return _Point(self.strengths + step[:-1], log_nu, self.precision, self.dispersion)

    @property
    def _known(self) -> Vector:
        """All that has a prior; without any draw log(nu) has none, being minus infinity."""
        return np.append(self.strengths, self.log_nu if math.isfinite(self.log_nu) else 0.0)


def fit(
    results: Iterable[Result], *, centre_on: Collection[int] = (), priors: Priors | None = None
) -> Fit:
    """Fit the strengths of all who are in the results.

    The mean strength of those in `centre_on` (of all without them) is put at the number that
    everybody starts with, and the intervals are those of the distance from that mean.
    """
    priors = priors or Priors()
    evidence = davidson.gather(results)
    if not evidence.players:
        return Fit({}, 0.0, 1.0)
    mean = _weights(evidence.players, centre_on)
    point = _start(evidence, priors)
    for _round in range(MOST_ROUNDS):
        point = _climb(point, evidence)
        around = _spread(point, evidence, mean)
        if priors.dispersion is not None:
            break
        known, point.dispersion = point.dispersion, _dispersion(point, evidence, around, priors)
        if abs(point.dispersion - known) < DISPERSION_TOLERANCE:
            break
    return Fit(
        estimates=dict(zip(evidence.players, _on_elo_scale(point, around, mean), strict=True)),
        draw=math.exp(point.log_nu),
        dispersion=point.dispersion,
    )


def tie_bands(estimates: Mapping[int, Estimate]) -> dict[int, int]:
    """Give the tie band of each, from 1 at the top.

    Walking down by estimate, a band is its first and all that follow as long as their intervals
    overlap that first one's.
    """
    bands: dict[int, int] = {}
    band, reach = 0, math.inf
    down = sorted(estimates.items(), key=lambda one: (-one[1].value, one[0]))
    for player, estimate in down:
        if band == 0 or estimate.high < reach:
            band, reach = band + 1, estimate.low
        bands[player] = band
    return bands


def _weights(players: list[int], centre_on: Collection[int]) -> Vector:
    """Give the weights of the mean at which all is centred; the last is for log(nu)."""
    chosen = set(centre_on) & set(players) or set(players)
    return np.array([player in chosen for player in players] + [False]) / len(chosen)


def _start(evidence: Evidence, priors: Priors) -> _Point:
    has_draws = bool(evidence.draws.any())
    strength = (ELO_PER_NAT / priors.strength_sd) ** 2
    precision = np.full(len(evidence.players) + 1, strength)
    precision[-1] = priors.draw_sd**-2
    return _Point(
        strengths=np.zeros(len(evidence.players)),
        log_nu=0.0 if has_draws else -math.inf,
        precision=precision,
        dispersion=1.0 if priors.dispersion is None else priors.dispersion,
    )


def _climb(point: _Point, evidence: Evidence) -> _Point:
    """Give the top of the posterior, which is concave, by Newton's steps, halved where too long."""
    height = point.objective(evidence)
    for _step in range(MOST_STEPS):
        step = solve(point.certainty(evidence), point.gradient(evidence))
        if np.abs(step).max() < TOLERANCE:
            return point
        higher = point.moved(step)
        reached = higher.objective(evidence)
        while reached < height and np.abs(step).max() > TOLERANCE:
            step /= 2
            higher = point.moved(step)
            reached = higher.objective(evidence)
        point, height = higher, reached
    raise ArithmeticError("the fit did not converge")


def _residuals(point: _Point, evidence: Evidence) -> tuple[Vector, Vector]:
    """Give by meeting the points beyond the expected ones, and their variance if independent."""
    told = davidson.moments(evidence.design @ point.strengths, point.log_nu)
    points = evidence.wins + evidence.draws / 2
    return (
        points - evidence.played * told.points[evidence.row],
        evidence.played * told.var_points[evidence.row],
    )


def _spread(point: _Point, evidence: Evidence, mean: Vector) -> Spread:
    """Give the posterior's spread; the matrix is the sum of the matches' squared informations."""
    design = evidence.design
    by_match = evidence.by_match(_residuals(point, evidence)[1])
    products = sparse.coo_array(by_match.T @ sparse.diags_array(evidence.times) @ by_match)
    first, second = products.coords
    shared = np.asarray(design[first].multiply(design[second]).sum(axis=1)).ravel()
    products = sparse.coo_array((products.data * shared, (first, second)), shape=products.shape)
    squares = sparse.csr_array(design.T @ products @ design)
    return spread(point.certainty(evidence), mean, squares)


def _dispersion(point: _Point, evidence: Evidence, around: Spread, priors: Priors) -> float:
    """Give how much matches scatter beside what independent games would: 1 where they are that.

    What a match says of the strengths is its score vector. The sum of its squares is compared with
    the one expected of independent games, less what the fit itself has taken up.
    """
    beyond, variance = _residuals(point, evidence)
    scores = evidence.by_match(beyond) @ evidence.design
    squared = evidence.times @ scores.power(2).sum(axis=1)
    sizes = np.asarray(evidence.design.power(2).sum(axis=1)).ravel()
    expected = float(evidence.by_row(variance) @ sizes)
    known = priors.matches * expected / evidence.matches
    return float((squared + around.trace + known) / (expected + known))


def _on_elo_scale(point: _Point, around: Spread, mean: Vector) -> list[Estimate]:
    """Give the strengths as Elo counts them, with the uncertainty of the scale itself.

    The more draws, the less a strength changes what is expected: beside equals by 1 / (2 + nu) of a
    point where the Elo formula has 1 / 2. On its scale a strength is smaller by the ratio.
    """
    strengths = point.strengths - mean[:-1] @ point.strengths
    nu = math.exp(point.log_nu)
    scale = ELO_PER_NAT * 2 / (2 + nu)
    slope = -scale * nu / (2 + nu)  # d scale / d log(nu)
    variance = (
        scale**2 * around.variance
        + 2 * scale * slope * strengths * around.crossed
        + (slope * strengths) ** 2 * around.last
    )
    margins = QUANTILE * np.sqrt(variance)
    values = elo.START + scale * strengths
    return [
        Estimate(float(value), float(value - margin), float(value + margin))
        for value, margin in zip(values, margins, strict=True)
    ]
