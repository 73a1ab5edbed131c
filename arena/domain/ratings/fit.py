"""The batch fit of a ladder: strengths from all matches at once, with 95 % intervals and tie bands.

The model is Davidson's (see `davidson`) with weak Gaussian priors. A match, not a game, is the unit
of evidence: its games share one deal of chance. How much more or less the matches of this ladder
scatter than independent games would is its `dispersion`, estimated over all of them; the
log-likelihood is divided by it. `docs/adr/0019` says why, and
`tests/integration/ratings/coverage.py` measures how well.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy import sparse

from arena.domain.ratings import davidson, elo
from arena.domain.ratings.covariance import Spread, solve, spread
from arena.domain.ratings.davidson import GameCounts, MatchCounts, ResultArrays, Strengths, Vector
from arena.domain.ratings.priors import ELO_PER_NAT, Prior, Priors, kinship

__all__ = [
    "ELO_PER_NAT",
    "Estimate",
    "Fit",
    "GameCounts",
    "MatchCounts",
    "Priors",
    "fit",
    "tie_bands",
]

# Half an interval in standard deviations: the 1.96 of the normal distribution and 5 % more, since
# what is learned of the ladder as a whole is taken as known. The 5 % are measured: `docs/adr/0019`.
HALF_WIDTH = 1.05 * 1.959963984540054
TOLERANCE = 1e-9  # of a step, in natural units
MOST_STEPS = 200
SETTLED = 1e-3  # of what is learned of the ladder as a whole
MOST_ROUNDS = 50


class Estimate(NamedTuple):
    """A strength on the Elo scale and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Fit:
    """Estimates by player; the draw parameter; how much matches scatter beside lone games."""

    estimates: Mapping[int, Estimate]
    draw: float
    dispersion: float


@dataclass(frozen=True, slots=True)
class _Point:
    """Where the search stands, and what has been learned of the ladder as a whole."""

    at: Strengths
    prior: Prior
    dispersion: float

    def objective(self, evidence: ResultArrays) -> float:
        pull = self.prior.pull(self.at)
        log_nu = self.at.log_nu if math.isfinite(self.at.log_nu) else 0.0
        squares = float(pull @ np.append(self.at.values, log_nu))
        return davidson.log_likelihood(evidence, self.at) / self.dispersion - squares / 2

    def gradient(self, evidence: ResultArrays) -> Vector:
        told = davidson.score(evidence, self.at)
        return np.asarray(told / self.dispersion - self.prior.pull(self.at))

    def certainty(self, evidence: ResultArrays) -> sparse.csr_array:
        told = davidson.information(evidence, self.at)
        return sparse.csr_array(told / self.dispersion + self.prior.precision())

    def moved(self, step: Vector) -> "_Point":
        values, log_nu = self.at.values + step[:-1], self.at.log_nu + float(step[-1])
        return replace(self, at=replace(self.at, values=values, log_nu=log_nu))


def fit(
    results: Iterable[MatchCounts],
    *,
    centre_on: Collection[int] = (),
    families: Iterable[Sequence[int]] = (),
    priors: Priors | None = None,
) -> Fit:
    """Fit the strengths of all who are in the results.

    The mean strength of those in `centre_on` (of all without them) is put at the number that
    everybody starts with, and the intervals are those of the distance from that mean. `families`
    are players each of which was made out of the one before.
    """
    priors = priors or Priors()
    evidence = davidson.gather(results)
    if not evidence.players:
        return Fit({}, 0.0, 1.0)
    mean = _weights(evidence.players, centre_on)
    point = _start(evidence, families, priors)
    for _round in range(MOST_ROUNDS):
        point = _climb(point, evidence)
        around = _spread(point, evidence, mean)
        learned = _learned(point, evidence, around, priors)
        if _is_settled(point, learned):
            break
        point = learned
    return Fit(
        estimates=dict(zip(evidence.players, _on_elo_scale(point, around, mean), strict=True)),
        draw=math.exp(point.at.log_nu),
        dispersion=point.dispersion,
    )


def tie_bands(estimates: Mapping[int, Estimate]) -> dict[int, int]:
    """Return the tie band of each, from 1 at the top.

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


def _learned(point: _Point, evidence: ResultArrays, around: Spread, priors: Priors) -> _Point:
    """Estimate anew how strengths and matches scatter, and how well differences are known."""
    prior, dispersion = point.prior, point.dispersion
    if priors.strength_sd is None:
        prior = replace(prior, strength=_precision(point, around, priors))
    if priors.dispersion is None:
        dispersion = _dispersion(point, evidence, around, priors)
    blur = np.zeros_like(point.at.blur) if priors.modes else around.of_rows
    return _Point(replace(point.at, blur=blur), prior, dispersion)


def _is_settled(point: _Point, learned: _Point) -> bool:
    changes = (
        learned.dispersion / point.dispersion - 1,
        learned.prior.strength / point.prior.strength - 1,
        np.abs(learned.at.blur - point.at.blur).max(),
    )
    return all(abs(change) < SETTLED for change in changes)


def _precision(point: _Point, around: Spread, priors: Priors) -> float:
    """Return one over the variance of the strengths (D. MacKay, Bayesian Interpolation, 1992).

    It is the sum of their squares, shared out among as many as the evidence has told apart.
    """
    told_apart = len(point.at.values) - point.prior.strength * around.traces[1]
    usual = priors.players * (priors.usual_sd / ELO_PER_NAT) ** 2
    return (told_apart + priors.players) / (point.prior.squares(point.at) + usual)


def _weights(players: list[int], centre_on: Collection[int]) -> Vector:
    """Return the weights of the mean at which all is centred; the last is for log(nu)."""
    chosen = set(centre_on) & set(players) or set(players)
    return np.array([player in chosen for player in players] + [False]) / len(chosen)


def _start(evidence: ResultArrays, families: Iterable[Sequence[int]], priors: Priors) -> _Point:
    has_draws = bool(evidence.draws.any())
    at = Strengths(
        values=np.zeros(len(evidence.players)),
        log_nu=0.0 if has_draws else -math.inf,
        blur=np.zeros(evidence.design.shape[0]),
    )
    prior = Prior(
        kinship=kinship(evidence.players, families, priors),
        strength=(ELO_PER_NAT / (priors.strength_sd or priors.usual_sd)) ** 2,
        draw=priors.draw_sd**-2,
    )
    return _Point(at, prior, 1.0 if priors.dispersion is None else priors.dispersion)


def _climb(point: _Point, evidence: ResultArrays) -> _Point:
    """Return the maximum of the concave posterior by Newton's method with step halving."""
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


def _residuals(point: _Point, evidence: ResultArrays) -> tuple[Vector, Vector]:
    """Return by meeting the points beyond the expected ones, and their variance if independent."""
    told = davidson.moments(evidence, point.at)
    points = evidence.wins + evidence.draws / 2
    return (
        points - evidence.played * told.points[evidence.row],
        evidence.played * told.var_points[evidence.row],
    )


def _spread(point: _Point, evidence: ResultArrays, mean: Vector) -> Spread:
    """Return the posterior's spread; the matrix is the sum of the matches' squared informations."""
    design = evidence.design
    by_match = evidence.by_match(_residuals(point, evidence)[1])
    products = sparse.coo_array(by_match.T @ sparse.diags_array(evidence.times) @ by_match)
    first, second = products.coords
    shared = np.asarray(design[first].multiply(design[second]).sum(axis=1)).ravel()
    products = sparse.coo_array((products.data * shared, (first, second)), shape=products.shape)
    squares = sparse.csr_array(design.T @ products @ design)
    return spread(point.certainty(evidence), mean, design, (squares, point.prior.kinship))


def _dispersion(point: _Point, evidence: ResultArrays, around: Spread, priors: Priors) -> float:
    """Return how much matches scatter beside what independent games would: 1 where they are that.

    What a match says of the strengths is its score vector. The sum of its squares is compared with
    the one expected of independent games, less what the fit itself has taken up.
    """
    beyond, variance = _residuals(point, evidence)
    scores = evidence.by_match(beyond) @ evidence.design
    squared = evidence.times @ scores.power(2).sum(axis=1)
    sizes = np.asarray(evidence.design.power(2).sum(axis=1)).ravel()
    expected = float(evidence.by_row(variance) @ sizes)
    known = priors.matches * expected / evidence.matches
    return float((squared + known) / (expected - around.traces[0] / point.dispersion + known))


def _on_elo_scale(point: _Point, around: Spread, mean: Vector) -> list[Estimate]:
    """Return the strengths as Elo counts them, with the uncertainty of the scale itself.

    The more draws, the less a strength changes what is expected: beside equals by 1 / (2 + nu) of a
    point where the Elo formula has 1 / 2. On its scale a strength is smaller by the ratio.
    """
    strengths = point.at.values - mean[:-1] @ point.at.values
    nu = math.exp(point.at.log_nu)
    scale = ELO_PER_NAT * 2 / (2 + nu)
    slope = -scale * nu / (2 + nu)  # d scale / d log(nu)
    variance = (
        scale**2 * around.variance
        + 2 * scale * slope * strengths * around.crossed
        + (slope * strengths) ** 2 * around.last
    )
    margins = HALF_WIDTH * np.sqrt(variance)
    values = elo.START + scale * strengths
    return [
        Estimate(float(value), float(value - margin), float(value + margin))
        for value, margin in zip(values, margins, strict=True)
    ]
