"""Messages only where they matter: at the points of the grid around the belief of a player.

After many games a belief is narrow, and most of the grid holds nothing of it. There are few
different counts of games between two sides, so the blurred likelihood of a gap stands in a table,
by the count and the logarithm of the variance of the rest. A message is read from the table: cubic
in the gap, linear between two levels of the variance. Counts that are rare are not worth a table,
and their messages are computed as on the whole grid.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy
from numpy.typing import NDArray

from arena.domain.ratings import beliefs
from arena.domain.ratings.beliefs import Matrix, Moments
from arena.domain.ratings.davidson import Indices, Vector

if TYPE_CHECKING:
    from scipy.sparse import csr_array

WHOLE = len(beliefs.POINTS)
WIDTHS = (32, 64, WHOLE)  # points in a window
REACH = 7.0  # standard deviations of a belief on both sides that should be in its window
TAIL = 20.0  # at the ends of a window a belief is below its peak by this logarithm at least
LEVEL = 0.01  # between levels of the variance, in its logarithm
WORTH = 4  # messages for each level that make a table worth while


def widths(variance: Vector) -> Indices:
    """Return how many points of the grid should be enough for beliefs of this variance."""
    needed = 2 * REACH * np.sqrt(variance) / beliefs.STEP + 2
    return np.select([needed <= width for width in WIDTHS], WIDTHS, default=WHOLE)


def first_points(mean: Vector, width: int) -> Indices:
    """Return where windows around these means begin."""
    first = np.rint(mean / beliefs.STEP).astype(np.int64) + beliefs.HALF - width // 2
    return np.clip(first, 0, WHOLE - width)


@dataclass(frozen=True, slots=True)
class Asked:
    """Players, each with the `count` of its messages, and the windows in which they are asked for.

    `own` is what each player's belief has from elsewhere, on the whole grid.
    """

    own: Matrix
    count: Indices
    first: Indices
    width: int

    @property
    def first_of_messages(self) -> Indices:
        """Where the window of each message begins."""
        return np.repeat(self.first, self.count)

    def answer(self, messages: Matrix) -> tuple[Matrix, Moments, Indices]:
        """Return what messages say together, the moments without each, and who needs more points.

        Who needs more is somebody whose belief, without one of the messages, has too much at the
        end of the window.
        """
        player = np.repeat(np.arange(len(self.count)), self.count)
        together = _sums(self.count) @ messages
        columns = self.first[:, None] + np.arange(self.width)
        own = np.take_along_axis(self.own, columns, axis=1)
        without = (own + together)[player] - messages
        mean, variance = beliefs.moments(without, beliefs.POINTS[: self.width] - beliefs.POINTS[0])
        moments = Moments(mean + beliefs.POINTS[self.first[player]], variance)
        # What games say is log-concave. The rest may rise outside the window, up to its peak.
        rise = self.own.max(axis=1)[:, None] - own[:, [0, -1]]
        rise[self.first == 0, 0] = rise[self.first == WHOLE - self.width, 1] = -np.inf
        ends = (without[:, [0, -1]] + rise[player]).max(axis=1)
        cut = ends > without.max(axis=1) - TAIL
        return self._spread(together), moments, np.unique(player[cut])

    def _spread(self, log: Matrix) -> Matrix:
        """Return what is known in the windows on the whole grid: outside it goes on straight."""
        at = np.arange(WHOLE) - self.first[:, None]
        whole = np.take_along_axis(log, np.clip(at, 0, self.width - 1), axis=1)
        whole += np.minimum(at, 0) * (log[:, 1] - log[:, 0])[:, None]
        whole += np.maximum(at - self.width + 1, 0) * (log[:, -1] - log[:, -2])[:, None]
        return np.asarray(whole)


def _sums(count: Indices) -> "csr_array":
    """Return the matrix that adds up so many rows each."""
    ends = np.concatenate([[0], np.cumsum(count)])
    shape = len(count), ends[-1]
    return scipy.sparse.csr_array((np.ones(ends[-1]), np.arange(ends[-1]), ends), shape=shape)


class Tables:
    """What games say, read from tables of blurred likelihoods."""

    def __init__(
        self,
        transforms: NDArray[np.complex128],
        which: Indices,
        shares: Vector,
        variance: Vector,
    ) -> None:
        self._transforms = transforms
        self._lowest = float(np.log(variance.min()))
        levels = int((np.log(variance.max()) - self._lowest) / LEVEL) + 2
        self._variances = np.exp(self._lowest + LEVEL * np.arange(levels))
        sizes = beliefs.sizes(shares)
        self._tables = {
            int(size): self._table(which[sizes == size], int(size)) for size in np.unique(sizes)
        }

    def _table(self, which: Indices, size: int) -> tuple[Indices, Matrix]:
        """Return the place of each count of games in a table, -1 if it has none, and the table."""
        messages = np.bincount(which, minlength=len(self._transforms))
        common = np.flatnonzero(messages >= WORTH * len(self._variances))
        place = np.full(len(messages), -1, dtype=np.int64)
        place[common] = len(self._variances) * np.arange(len(common))
        blur = np.exp(-self._variances[:, None] / 2 * beliefs.FREQUENCIES**2)
        table = np.empty((len(common), len(self._variances), size * beliefs.PERIOD))
        for number, pattern in enumerate(common):
            blurred = self._transforms[pattern] * blur
            values = scipy.fft.irfft(blurred, n=size * beliefs.PERIOD, axis=1)
            table[number] = np.fft.fftshift(beliefs.logarithms(values), axes=1)
        return place, table.reshape(-1, size * beliefs.PERIOD)

    def messages(self, which: Indices, shares: Vector, rest: Moments, asked: Asked) -> Matrix:
        """Return what `beliefs.messages` does, in the windows."""
        first, width = asked.first_of_messages, asked.width
        messages = np.empty((len(which), width))
        sizes = beliefs.sizes(shares)
        for size, (place, table) in self._tables.items():
            row = np.where(sizes == size, place[which], -1)
            read = np.flatnonzero(row >= 0)
            turned = shares[read] < 0
            lowest = first[read] - beliefs.HALF
            begin = np.where(turned, 1 - lowest - width, lowest)
            begin = begin + size * (rest.mean[read] / beliefs.STEP + beliefs.PERIOD / 2)
            values = self._read(table, row[read], rest.variance[read], begin, width)
            values[turned] = values[turned][:, ::-1]
            messages[read] = values
            rare = np.flatnonzero((sizes == size) & (row < 0))
            if len(rare):
                moments = Moments(rest.mean[rare], rest.variance[rare])
                whole = beliefs.messages(self._transforms, which[rare], shares[rare], moments)
                columns = first[rare, None] + np.arange(width)
                messages[rare] = np.take_along_axis(whole, columns, axis=1)
        return messages

    def _read(
        self, table: Matrix, row: Indices, variance: Vector, begin: Vector, width: int
    ) -> Matrix:
        """Interpolate at `width` columns from `begin` on, in the table of a row's variances."""
        level = (np.log(variance) - self._lowest) / LEVEL
        lower = np.minimum(level.astype(np.int64), len(self._variances) - 2)
        column = np.floor(begin).astype(np.int64)
        parts = np.lib.stride_tricks.sliding_window_view(table, width + 3, axis=1)
        values = parts[row + lower, column - 1]
        values += (level - lower)[:, None] * (parts[row + lower + 1, column - 1] - values)
        sums = np.zeros((len(row), width))
        for shift, weight in enumerate(_cubic(begin - column)):
            sums += weight[:, None] * values[:, shift : shift + width]
        return sums


def _cubic(part: Vector) -> tuple[Vector, ...]:
    """Return Lagrange's weights of the points at -1, 0, 1 and 2 for a place from 0 to 1."""
    before, after, end = part + 1, part - 1, part - 2
    return (
        -part * after * end / 6,
        before * after * end / 2,
        -before * part * end / 2,
        before * part * after / 6,
    )
