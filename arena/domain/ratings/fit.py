"""The batch fit of a ladder: strengths from all matches at once, with 95 % intervals and tie bands.

The model is Davidson's (see `davidson`) with weak Gaussian priors. The unit of evidence is a match,
not a game, because the games of a match share their chance events. The `dispersion` is the variance
of the matches of this ladder relative to that of independent games. It is estimated over all
matches, and the log-likelihood is divided by it. `docs/adr/0019` gives the reasons, and
`tests/integration/ratings/coverage.py` measures the coverage of the intervals.
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

# Half an interval in standard deviations: the 1.96 of the normal distribution and 5 % more, because
# the fit treats its hyperparameters as known. The 5 % are measured: `docs/adr/0019`.
HALF_WIDTH = 1.05 * 1.959963984540054
TOLERANCE = 1e-9  # of a step, in natural units
MOST_STEPS = 200
SETTLED = 1e-3  # change of the hyperparameters
MOST_ROUNDS = 50


class Estimate(NamedTuple):
    """A strength on the Elo scale and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Fit:
    """Estimates by player, the draw parameter, and the dispersion of the matches."""

    estimates: Mapping[int, Estimate]
    draw: float
    dispersion: float


@dataclass(frozen=True, slots=True)
class _Point:
    """A point of the search, with the hyperparameters: prior, dispersion and `at.blur`."""

    at: Strengths
    prior: Prior
    dispersion: float

    def objective(self, evidence: ResultArrays) -> float:
        pull = self.prior.pull(self.at)
        log_nu = self.at.log_nu if math.isfinite(self.at.log_nu) else 0.0
        squares = float(pull @ np.append(self.at.values, log_nu))
        return davidson.log_likelihood(evidence, self.at) / self.dispersion - squares / 2

    def gradient(self, evidence: ResultArrays) -> Vector:
        score = davidson.score(evidence, self.at)
        return np.asarray(score / self.dispersion - self.prior.pull(self.at))

    def precision(self, evidence: ResultArrays) -> sparse.csr_array:
        information = davidson.information(evidence, self.at)
        return sparse.csr_array(information / self.dispersion + self.prior.precision())

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
    """Fit the strengths of all players in the results.

    The mean strength of the players in `centre_on`, or of all if it is empty, becomes the start
    rating, and the intervals are of the distance from that mean. A family is a sequence of players
    each of which is a revision of the one before. Raise ArithmeticError if it does not converge.
    """
    priors = priors or Priors()
    evidence = davidson.gather(results)
    if not evidence.players:
        return Fit({}, 0.0, 1.0)
    centre = set(centre_on) & set(evidence.players) or set(evidence.players)
    # The weights of the mean, with 0 for log(nu).
    mean = np.array([player in centre for player in evidence.players] + [False]) / len(centre)
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
    """Return the tie band of each player, from 1 at the top.

    In the order of estimates, a band has a first player, and then all players whose intervals
    overlap the interval of the first one, up to the first that does not.
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
    """Return the point with new estimates of the hyperparameters."""
    prior, dispersion = point.prior, point.dispersion
    if priors.strength_sd is None:
        prior = replace(prior, strength=_strength_precision(point, around, priors))
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


def _strength_precision(point: _Point, around: Spread, priors: Priors) -> float:
    """Return 1 / the variance of the strengths (D. MacKay, Bayesian Interpolation, 1992).

    The variance is the sum of their squares over the number of well-determined parameters.
    """
    well_determined = len(point.at.values) - point.prior.strength * around.traces[1]
    usual = priors.players * (priors.usual_sd / ELO_PER_NAT) ** 2
    return (well_determined + priors.players) / (point.prior.squares(point.at) + usual)


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
        step = solve(point.precision(evidence), point.gradient(evidence))
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
    """Return by meeting the points minus those expected, and their variance if independent."""
    predicted = davidson.moments(evidence, point.at)
    points = evidence.wins + evidence.draws / 2
    return (
        points - evidence.played * predicted.points[evidence.row],
        evidence.played * predicted.var_points[evidence.row],
    )


def _spread(point: _Point, evidence: ResultArrays, mean: Vector) -> Spread:
    """Return the posterior's spread, with the trace for the sum of squared match informations."""
    design = evidence.design
    by_match = evidence.by_match(_residuals(point, evidence)[1])
    products = sparse.coo_array(by_match.T @ sparse.diags_array(evidence.times) @ by_match)
    first, second = products.coords
    shared = np.asarray(design[first].multiply(design[second]).sum(axis=1)).ravel()
    products = sparse.coo_array((products.data * shared, (first, second)), shape=products.shape)
    squares = sparse.csr_array(design.T @ products @ design)
    return spread(point.precision(evidence), mean, design, (squares, point.prior.kinship))


def _dispersion(point: _Point, evidence: ResultArrays, around: Spread, priors: Priors) -> float:
    """Return the variance of matches relative to that of independent games: 1 if they are such.

    The sum of the squared score vectors of the matches is compared with the sum that is expected
    for independent games, minus the part that the fit itself explains.
    """
    residuals, variance = _residuals(point, evidence)
    scores = evidence.by_match(residuals) @ evidence.design
    squared = evidence.times @ scores.power(2).sum(axis=1)
    sizes = np.asarray(evidence.design.power(2).sum(axis=1)).ravel()
    expected = float(evidence.by_row(variance) @ sizes)
    known = priors.matches * expected / evidence.matches
    return float((squared + known) / (expected - around.traces[0] / point.dispersion + known))


def _on_elo_scale(point: _Point, around: Spread, mean: Vector) -> list[Estimate]:
    """Return the strengths on the Elo scale, including the uncertainty of the scale itself.

    With more draws, a strength changes the expected points less: between equals by 1 / (2 + nu) per
    unit, where the Elo formula has 1 / 2. The ratio scales the strengths.
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
