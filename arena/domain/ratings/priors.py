"""The prior distributions of the batch fit."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import sparse

from arena.domain.ratings import elo
from arena.domain.ratings.davidson import Strengths, Vector

ELO_PER_NAT = elo.SCALE / math.log(10.0)


@dataclass(frozen=True, slots=True)
class Priors:
    """The parameters of the priors.

    Strengths have a standard deviation about a common mean: either the fixed `strength_sd` (Elo),
    or estimated with a prior of `usual_sd` that weighs as much as `players` players. Likewise the
    dispersion is either the fixed `dispersion`, or estimated with a prior of 1 that weighs as much
    as `matches` matches. The logarithm of the draw parameter has mean 0 and standard deviation
    `draw_sd`. A version differs from its predecessor by `akin` times the difference between bots.
    With `modes`, estimates are posterior modes, as in other programs, instead of means.
    """

    usual_sd: float = 300.0
    players: float = 2.0
    strength_sd: float | None = None
    draw_sd: float = 2.0
    matches: float = 10.0
    dispersion: float | None = None
    akin: float = 0.5
    modes: bool = False


@dataclass(frozen=True, slots=True)
class Prior:
    """The prior precisions: of the strengths, `kinship` times `strength`; of log(nu), `draw`."""

    kinship: sparse.csr_array
    strength: float
    draw: float

    def precision(self) -> sparse.csr_array:
        """Return the precision of the strengths and, last, of log(nu)."""
        return sparse.csr_array(
            sparse.block_diag([self.strength * self.kinship, np.array([[self.draw]])])
        )

    def pull(self, at: Strengths) -> Vector:
        """Return precision times value, with 0 for log(nu) if it is minus infinity (no draws)."""
        log_nu = at.log_nu if math.isfinite(at.log_nu) else 0.0
        return np.append(self.strength * (self.kinship @ at.values), self.draw * log_nu)

    def squares(self, at: Strengths) -> float:
        """Return the quadratic form of the strengths with the kinship matrix."""
        return float(at.values @ (self.kinship @ at.values))


def kinship(
    players: list[int], families: Iterable[Sequence[int]], priors: Priors
) -> sparse.csr_array:
    """Return the precision of strengths with variance 1, and `akin` ** 2 between relatives."""
    place = {player: number for number, player in enumerate(players)}
    known = ([place[player] for player in family if player in place] for family in families)
    links = [link for family in known for link in pairwise(family)]
    number = np.arange(len(links))
    before, after = (
        (np.array(ends, dtype=int) for ends in zip(*links, strict=True)) if links else ((), ())
    )
    shape = len(links), len(players)
    steps = sparse.coo_array(
        (np.ones(len(links)), (number, after)), shape=shape
    ) - sparse.coo_array((np.ones(len(links)), (number, before)), shape=shape)
    first = np.ones(len(players))
    first[list(after)] = 0.0
    return sparse.csr_array(sparse.diags_array(first) + steps.T @ steps / priors.akin**2)
