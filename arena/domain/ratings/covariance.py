"""Variances from a precision matrix, without inverting a large one.

Up to `DENSE_UP_TO` rows, the inverse is computed. For larger matrices, linear systems are solved by
conjugate gradients, and the variances are estimated from the solutions for `PROBES` random vectors
of signs (C. Bekas, E. Kokiopoulou, Y. Saad, An estimator for the diagonal of a matrix, 2007). For
the matrices of ladders the error is a few per cent. The vectors are the same in every run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse.linalg import cg

DENSE_UP_TO = 1500
PROBES = 128
RELATIVE_TOLERANCE = 1e-10
RNG_SEED = 1970
ROWS = 4096  # of a design at a time, so that they need little memory compared with the inverse

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spread:
    """The uncertainty of values relative to a weighted mean of them.

    `variance` is by row, without the last row. `crossed` is the covariance with the last row, and
    `last` the variance of the last row. `of_rows` are the variances of the rows of a given design,
    and `traces` are the traces of given matrices times the covariance.
    """

    variance: Vector
    of_rows: Vector
    crossed: Vector
    last: float
    traces: list[float]


def solve(precision: sparse.csr_array, right: Vector) -> Vector:
    """Solve a positive definite system. Raise ArithmeticError if it does not converge."""
    if precision.shape[0] <= DENSE_UP_TO:
        return np.asarray(linalg.solve(precision.toarray(), right, assume_a="pos"))
    by_diagonal = sparse.diags_array(1.0 / precision.diagonal())
    found, failed = cg(precision, right, rtol=RELATIVE_TOLERANCE, M=by_diagonal)
    if failed:
        raise ArithmeticError(f"conjugate gradients did not converge ({failed})")
    return np.asarray(found)


def spread(
    precision: sparse.csr_array,
    mean: Vector,
    design: sparse.csr_array,
    matrices: Sequence[sparse.csr_array],
) -> Spread:
    """Return the spread about the mean with these weights (the last one is 0, the sum is 1)."""
    size = precision.shape[0]
    known = (_exact if size <= DENSE_UP_TO else _probed)(precision, design, matrices)
    of_mean, of_last = (solve(precision, each) for each in (mean, np.eye(1, size, size - 1)[0]))
    return Spread(
        variance=(known.diagonal - 2 * of_mean + mean @ of_mean)[:-1],
        of_rows=known.of_rows,
        crossed=(of_last - mean @ of_last)[:-1],
        last=float(of_last[-1]),
        traces=known.traces,
    )


class _Known(NamedTuple):
    diagonal: Vector
    of_rows: Vector
    traces: list[float]


def _exact(
    precision: sparse.csr_array, design: sparse.csr_array, matrices: Sequence[sparse.csr_array]
) -> _Known:
    inverse = linalg.inv(precision.toarray(), assume_a="pos")
    values = inverse[:-1, :-1]
    parts = [design[first : first + ROWS] for first in range(0, design.shape[0], ROWS)]
    of_rows = [part.multiply(part @ values).sum(axis=1) for part in parts]
    traces = [float(matrix.multiply(values).sum()) for matrix in matrices]
    return _Known(np.diagonal(inverse), np.concatenate(of_rows), traces)


def _probed(
    precision: sparse.csr_array, design: sparse.csr_array, matrices: Sequence[sparse.csr_array]
) -> _Known:
    random = np.random.default_rng(RNG_SEED)
    probes = random.choice((-1.0, 1.0), size=(precision.shape[0], PROBES))
    answers = np.column_stack([solve(precision, probe) for probe in probes.T])
    # A variance is at least what it would be if all others were known.
    diagonal = np.maximum((probes * answers).mean(axis=1), 1.0 / precision.diagonal())
    of_rows = ((design @ probes[:-1]) * (design @ answers[:-1])).mean(axis=1)
    traces = [float((probes[:-1] * (matrix @ answers[:-1])).sum() / PROBES) for matrix in matrices]
    return _Known(diagonal, np.maximum(of_rows, 0.0), traces)
