"""What the batch fit takes for likely before it has seen a match."""

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
    """How little is known beforehand.

    Strengths have a standard deviation about a common mean. It is estimated, being `usual_sd`
    (Elo) as if so many `players` had shown it; or it is `strength_sd`. Likewise the dispersion is 1
    as if so many `matches` had shown it, or it is `dispersion`. The logarithm of the draw parameter
    has a standard deviation of `draw_sd` about 0. A version differs from the one it was made out of
    by `akin` times what bots differ by. With `modes` estimates are the likeliest values,
    as other programs give them, and not the means of what is likely.
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
    """What is taken for likely: `kinship` times `strength` is the precision of the strengths."""

    kinship: sparse.csr_array
    strength: float
    draw: float

    def precision(self) -> sparse.csr_array:
        """Return the precision of the strengths and, last, of log(nu)."""
        return sparse.csr_array(
            sparse.block_diag([self.strength * self.kinship, np.array([[self.draw]])])
        )

    def pull(self, at: Strengths) -> Vector:
        """Return precision times value; without any draw log(nu) is minus infinity and has none."""
        log_nu = at.log_nu if math.isfinite(at.log_nu) else 0.0
        return np.append(self.strength * (self.kinship @ at.values), self.draw * log_nu)

    def squares(self, at: Strengths) -> float:
        """Return the square of the strengths, as the kinship measures them."""
        return float(at.values @ (self.kinship @ at.values))


def kinship(
    players: list[int], families: Iterable[Sequence[int]], priors: Priors
) -> sparse.csr_array:
    """Return the precision of strengths whose spread is 1, with a family's differing by `akin`."""
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
