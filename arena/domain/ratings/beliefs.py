"""Beliefs about strengths: log-probabilities on a grid of rating points, and how they spread.

A belief is a row of log-probabilities, up to a constant, at `POINTS`. Strengths are in Elo around
the mean of the first versions.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from arena.domain.ratings import davidson
from arena.domain.ratings.davidson import Indices, Vector

Matrix = NDArray[np.float64]

STEP = 32.0
HALF = 94
POINTS: Vector = STEP * np.arange(-HALF, HALF + 1, dtype=np.float64)
# Gaps between two strengths lie on a circle, so that convolutions are products of transforms. Half
# of the circle is longer than the largest gap.
PERIOD = 384
GAPS: Vector = STEP * np.fft.fftfreq(PERIOD, 1 / PERIOD).astype(np.float64)
FREQUENCIES = 2 * np.pi * np.fft.rfftfreq(PERIOD, STEP)

PRIOR_FREEDOM, PRIOR_SCALE = 4.0, 300.0  # Student's t, of first versions
STEPS = ((0.6, 40.0), (0.4, 500.0))  # from version to version: probability, standard deviation
FAINTEST = 1e-13  # of the largest probability: below it are the errors of the transforms

NARROW = 0.75 * STEP  # standard deviation below which the sums over the grid are too coarse
WINDOW = 4  # steps on both sides of the peak of a narrow belief
FINE = 32  # points in a step there
SMALLEST_VARIANCE = 1.0
BLOCK = 1024  # messages that are computed at once

PRIOR = -(PRIOR_FREEDOM + 1) / 2 * np.log1p((POINTS / PRIOR_SCALE) ** 2 / PRIOR_FREEDOM)


class Moments(NamedTuple):
    """Means and variances, by row."""

    mean: Vector
    variance: Vector


def likelihoods(wins: Vector, draws: Vector, losses: Vector, nu: float) -> NDArray[np.complex128]:
    """Return the transforms of the likelihoods of the gap, one row for each count of games."""
    log = np.column_stack([wins, draws, losses]) @ np.stack(davidson.log_probabilities(GAPS, nu))
    return np.asarray(scipy.fft.rfft(np.exp(log - log.max(axis=1, keepdims=True)), axis=1))


def messages(
    transforms: NDArray[np.complex128], which: Indices, shares: Vector, rest: Moments
) -> Matrix:
    """Return what games say about the strength of one player, one row for each message.

    The gap is the strength times the player's share plus the rest, which is normally distributed.
    A share is 1/n or -1/n on a side of n. `which` selects the likelihood of the gap.
    """
    evidence = np.empty((len(which), len(POINTS)))
    of_side = sizes(shares)
    for size in np.unique(of_side):
        chosen = np.flatnonzero(of_side == size)
        for part in np.array_split(chosen, -(-len(chosen) // BLOCK)):
            blurred = transforms[which[part]] * _turned(rest.mean[part])
            blurred *= np.exp(-rest.variance[part, None] / 2 * FREQUENCIES**2)
            # A longer inverse transform interpolates: a strength moves the gap by 1/n of a step.
            values = scipy.fft.irfft(blurred, n=size * PERIOD, axis=1)
            values = values[:, np.arange(-HALF, HALF + 1) % (size * PERIOD)]
            turned = shares[part] < 0
            values[turned] = values[turned][:, ::-1]
            evidence[part] = logarithms(values)
    return evidence


def sizes(shares: Vector) -> Indices:
    """Return the number of players on the side of which each has this share."""
    return np.rint(1 / np.abs(shares)).astype(np.int64)


def successors(log: Matrix) -> Matrix:
    """Return the beliefs about the next version, or by symmetry about the previous one."""
    # No step leaves the grid, so that who knows nothing says nothing, at the ends as well.
    return logarithms(_stepped(_probabilities(log)) / _stepped(np.ones((1, len(POINTS)))))


def moments(log: Matrix, points: Vector = POINTS) -> Moments:
    """Return mean and variance of each belief, a row of log-probabilities at these points."""
    weights = _probabilities(log)
    mean = weights @ points
    variance = weights @ points**2 - mean**2
    narrow = np.flatnonzero(variance < NARROW**2)
    if len(narrow):
        mean[narrow], variance[narrow] = _narrow_moments(log[narrow], points)
    return Moments(mean, np.maximum(variance, SMALLEST_VARIANCE))


def quantiles(log: Matrix, known: Moments, probability: float, deviations: float) -> Vector:
    """Return a quantile of each belief.

    One that is narrow beside the grid is taken for a normal distribution, whose quantile is so many
    standard deviations from its mean.
    """
    sums = np.cumsum(_probabilities(log), axis=1)
    deviation = np.sqrt(known.variance)
    values = known.mean + deviations * deviation
    for row in np.flatnonzero(deviation >= 2 * STEP):
        values[row] = np.interp(probability, sums[row], POINTS + STEP / 2)
    return np.asarray(values)


def _narrow_moments(log: Matrix, points: Vector) -> tuple[Vector, Vector]:
    """Interpolate log-probabilities around their peak by a polynomial."""
    peak = np.clip(log.argmax(axis=1), WINDOW, len(points) - 1 - WINDOW)
    around = np.arange(-WINDOW, WINDOW + 1)
    weights = _probabilities(log[np.arange(len(log))[:, None], peak[:, None] + around] @ _FINER)
    mean = weights @ _FINE_POINTS
    return points[peak] + mean, weights @ _FINE_POINTS**2 - mean**2


def _probabilities(log: Matrix) -> Matrix:
    values = np.exp(log - log.max(axis=1, keepdims=True))
    return np.asarray(values / values.sum(axis=1, keepdims=True))


def logarithms(values: Matrix) -> Matrix:
    """Return the logarithms, relative to the largest of each row and not below `FAINTEST`."""
    values = values / values.max(axis=1, keepdims=True)
    return np.log(np.maximum(values, FAINTEST))


def _lagrange() -> tuple[Vector, Matrix]:
    """Return fine points, in Elo from the peak, and the interpolation from the grid to them."""
    nodes = np.arange(-WINDOW, WINDOW + 1)
    end = (WINDOW - 0.5) * FINE
    fine = np.arange(-end, end + 1) / FINE
    matrix = np.ones((len(nodes), len(fine)))
    for number, node in enumerate(nodes):
        for other in nodes[nodes != node]:
            matrix[number] *= (fine - other) / (node - other)
    return STEP * fine, matrix


def _stepped(values: Matrix) -> Matrix:
    padded = np.zeros((len(values), PERIOD))
    padded[:, : len(POINTS)] = values
    stepped = scipy.fft.irfft(scipy.fft.rfft(padded, axis=1) * _step_transform(), n=PERIOD, axis=1)
    return np.asarray(stepped[:, : len(POINTS)])


def _turned(mean: Vector) -> NDArray[np.complex128]:
    """Return the factors of all frequencies that shift a likelihood by each of these means.

    They are powers of the first one, so few exponentials are enough.
    """
    powers = 16
    few = np.exp(1j * mean[:, None] * FREQUENCIES[:powers])
    many = np.exp(1j * mean[:, None] * FREQUENCIES[::powers])
    turns = (many[:, :, None] * few[:, None, :]).reshape(len(mean), -1)
    return np.asarray(turns[:, : len(FREQUENCIES)])


@cache
def _step_transform() -> NDArray[np.complex128]:
    steps = np.zeros(PERIOD)
    for share, deviation in STEPS:
        density = np.exp(-((GAPS / deviation) ** 2) / 2)
        steps += share * density / density.sum()
    return np.asarray(scipy.fft.rfft(steps))


_FINE_POINTS, _FINER = _lagrange()
