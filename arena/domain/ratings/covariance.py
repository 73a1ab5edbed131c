"""The joint normal distribution of all strengths: what belief propagation cannot know.

Belief propagation takes the strengths of the opponents for independent. Where the graph of meetings
is thin, they are not: if two groups hardly met, all of one group are wrong together. The same
ladder with normal distributions has an exact joint covariance, and belief propagation in it gives
variances too. The ratio of both variances corrects the intervals.

Up to `DENSE_UP_TO` players the precision matrix is inverted. For larger ladders, linear systems are
solved by conjugate gradients, and the variances are estimated from the solutions for `PROBES`
random vectors of signs (C. Bekas, E. Kokiopoulou, Y. Saad, An estimator for the diagonal of a
matrix, 2007), with an error of some per cent. The vectors are the same in every run.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy

from arena.domain.ratings.davidson import Indices, Vector

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DENSE_UP_TO = 1500
PROBES = 128
RELATIVE_TOLERANCE = 1e-8
RNG_SEED = 1970
ROUNDS = 40  # of belief propagation
SMALLEST = 1e-9  # variance, in square Elo
FAINTEST = 1e-18  # precision


@dataclass(frozen=True)
class Joint:
    """A normal distribution of strengths.

    The precision of every row of `design`, of each prior, and of each link between a version
    `before` and the next one, `after`. `centre` are the weights of the mean that is the origin.
    """

    design: "csr_array"
    rows: Vector
    priors: Vector
    before: Indices
    after: Indices
    links: Vector
    centre: Vector

    @cached_property
    def variance(self) -> Vector:
        """The variance of the distance from the centre, by player."""
        size = len(self.priors)
        if self._inverse is not None:
            of_mean = self._inverse @ self.centre
            diagonal: Vector = np.diagonal(self._inverse)
            exact: Vector = diagonal - 2 * of_mean + self.centre @ of_mean
            return exact
        random = np.random.default_rng(RNG_SEED)
        total = np.zeros(size)
        for _probe in range(PROBES):
            signs = random.choice((-1.0, 1.0), size=size)
            total += signs * self._covariances(signs)
        return np.asarray(np.maximum(total / PROBES, 1.0 / self._precision.diagonal()))

    @cached_property
    def stretch(self) -> Vector:
        """`variance` over what belief propagation finds for it, by player."""
        return np.asarray(self.variance / self._propagated())

    def correlations(self, players: Indices) -> Vector | None:
        """Return the correlations between these players' distances from the centre.

        None above `DENSE_UP_TO` players: there, hardly any two have much in common.
        """
        if self._inverse is None:
            return None
        of_mean = (self._inverse @ self.centre)[players]
        shared = self._inverse[np.ix_(players, players)] - of_mean - of_mean[:, None]
        shared += self.centre @ self._inverse @ self.centre
        deviations = np.sqrt(np.maximum(np.diagonal(shared), SMALLEST))
        return np.asarray(np.clip(shared / np.outer(deviations, deviations), -1.0, 1.0))

    @cached_property
    def _precision(self) -> "csr_array":
        size = len(self.priors)
        entries = np.concatenate([self.links, self.links, -self.links, -self.links])
        places = (
            np.concatenate([self.before, self.after, self.before, self.after]),
            np.concatenate([self.before, self.after, self.after, self.before]),
        )
        linked = scipy.sparse.coo_array((entries, places), shape=(size, size))
        met = self.design.T @ scipy.sparse.diags_array(self.rows) @ self.design
        return scipy.sparse.csr_array(met + scipy.sparse.diags_array(self.priors) + linked)

    @cached_property
    def _inverse(self) -> Vector | None:
        if len(self.priors) > DENSE_UP_TO:
            return None
        return np.asarray(scipy.linalg.inv(self._precision.toarray(), assume_a="pos"))

    def _covariances(self, weights: Vector) -> Vector:
        """Return the covariances of all distances from the centre with a weighted sum of them."""
        right = weights - self.centre * weights.sum()
        solved = self.solve(right) if self._inverse is None else self._inverse @ right
        return np.asarray(solved - self.centre @ solved)

    def solve(self, right: Vector) -> Vector:
        """Return the covariance matrix times a vector, by conjugate gradients."""
        by_diagonal = scipy.sparse.diags_array(1.0 / self._precision.diagonal())
        # It stops at a tolerance or after many steps; what it has found by then serves as well.
        solved, _ = scipy.sparse.linalg.cg(
            self._precision, right, rtol=RELATIVE_TOLERANCE, M=by_diagonal
        )
        return np.asarray(solved)

    def _propagated(self) -> Vector:
        """Return the variances that belief propagation finds, by player."""
        edges = self.design.tocoo()
        row, player = edges.coords
        squares = edges.data**2
        size, rows = len(self.priors), len(self.rows)
        # Precision and variance of messages: from games to players, and along the links.
        unknown = 1.0 / self.priors.max()
        variance = np.full(len(player), unknown)
        forward, backward = 1.0 / (1.0 / self.links + unknown), np.zeros(len(self.links))
        for _round in range(ROUNDS):
            of_row = np.bincount(row, squares * variance, rows)
            messages = squares / (1 / self.rows[row] + of_row[row] - squares * variance)
            own = self.priors + np.bincount(player, messages, size)
            total = own + np.bincount(self.after, forward, size)
            total += np.bincount(self.before, backward, size)
            rests = total[self.before] - backward, total[self.after] - forward
            forward, backward = (
                1 / (1 / self.links + 1 / np.maximum(rest, FAINTEST)) for rest in rests
            )
            variance = 1.0 / (total[player] - messages)
        return np.asarray(1.0 / total)
