"""Variances out of a precision matrix, without its inverse where that would be too large.

Up to `DENSE_UP_TO` rows the inverse is computed. Above that linear systems are solved by conjugate
gradients, and the variances are estimated from the answers to `PROBES` random vectors of signs (C.
Bekas, E. Kokiopoulou, Y. Saad, An estimator for the diagonal of a matrix, 2007), which for the
matrices of ladders errs by a few per cent. The vectors are the same in every run.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse.linalg import cg

DENSE_UP_TO = 1500
PROBES = 128
RELATIVE_TOLERANCE = 1e-10
RNG_SEED = 1970

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spread:
    """Of values about a weighed mean of theirs, all rows but the last: `variance`, by row.

    `crossed` is their covariance with the last row, `last` the variance of that. `trace` is that of
    a given matrix times the covariance.
    """

    variance: Vector
    crossed: Vector
    last: float
    trace: float


def solve(precision: sparse.csr_array, right: Vector) -> Vector:
    """Solve a positive definite system."""
    if precision.shape[0] <= DENSE_UP_TO:
        return np.asarray(linalg.solve(precision.toarray(), right, assume_a="pos"))
    by_diagonal = sparse.diags_array(1.0 / precision.diagonal())
    found, failed = cg(precision, right, rtol=RELATIVE_TOLERANCE, M=by_diagonal)
    if failed:
        raise ArithmeticError(f"conjugate gradients did not converge ({failed})")
    return np.asarray(found)


def spread(precision: sparse.csr_array, mean: Vector, matrix: sparse.csr_array) -> Spread:
    """Give the spread about the mean with these weights (the last is 0, their sum 1)."""
    size = precision.shape[0]
    diagonal, trace = (_exact if size <= DENSE_UP_TO else _probed)(precision, matrix)
    of_mean, of_last = (solve(precision, each) for each in (mean, np.eye(1, size, size - 1)[0]))
    return Spread(
        variance=(diagonal - 2 * of_mean + mean @ of_mean)[:-1],
        crossed=(of_last - mean @ of_last)[:-1],
        last=float(of_last[-1]),
        trace=trace,
    )


def _exact(precision: sparse.csr_array, matrix: sparse.csr_array) -> tuple[Vector, float]:
    inverse = linalg.inv(precision.toarray(), assume_a="pos")
    return np.diagonal(inverse).copy(), float(matrix.multiply(inverse[:-1, :-1]).sum())


def _probed(precision: sparse.csr_array, matrix: sparse.csr_array) -> tuple[Vector, float]:
    random = np.random.default_rng(RNG_SEED)
    probes = random.choice((-1.0, 1.0), size=(PROBES, precision.shape[0]))
    answers = np.array([solve(precision, probe) for probe in probes])
    traces = [
        probe[:-1] @ (matrix @ answer[:-1]) for probe, answer in zip(probes, answers, strict=True)
    ]
    # A variance is at least what it would be if all others were known.
    least = 1.0 / precision.diagonal()
    return np.maximum((probes * answers).mean(axis=0), least), float(np.mean(traces))
