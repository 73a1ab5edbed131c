"""What cards are worth together: the chance to win of the side that has just ended its turn.

A small network looks at how many cards of each rank lie where. Its numbers stand in `weights.py`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import exp
from operator import add, neg, sub

from sides import HAND, KNOWN, PLACES, RANKS, UNKNOWN, Side
from weights import BIAS, INNER, LAST, OUTER

Vector = Sequence[float]  # what the hidden layer of the network gets

MOVED, TO_MOVE = range(2)  # the side that has ended its turn, and the other one


def _read(text: str) -> list[list[float]]:
    """Read rows of hundredths."""
    return [[int(number) / 100 for number in row.split()] for row in text.split("\n") if row]


class Worth:
    """The network: one hidden layer that is cut off at 0, and the logistic function."""

    def __init__(
        self, inner: str = INNER, bias: str = BIAS, outer: str = OUTER, last: float = LAST
    ) -> None:
        """Read the numbers, those of `weights.py` if no others are given."""
        rows = iter(_read(inner))
        self._at = [
            {(place, rank): next(rows) for place in PLACES for rank in RANKS} for _ in range(2)
        ]
        (self._bias,), (self._outer,) = _read(bias), _read(outer)
        self._last = last

    def side(self, side: Side, role: int) -> Vector:
        """Return what the hidden layer gets from all cards of a side."""
        total: Vector = self._bias if role == MOVED else [0.0] * len(self._bias)
        for (place, rank), count in Counter(side.cards()).items():
            total = [x + count * y for x, y in zip(total, self._at[role][place, rank], strict=True)]
        return total

    def after(self, before: Vector, side: Side, role: int, slot: int, *, falls: bool) -> Vector:
        """Return the same after a card of the line has fallen, or was turned up."""
        rank, known, at = side.line[slot], side.known[slot], self._at[role]
        if falls:
            return list(map(sub, before, at[KNOWN if known else UNKNOWN, rank]))
        if known:
            return before
        return _sum((before, at[KNOWN, rank], map(neg, at[UNKNOWN, rank])))

    def laid(self, before: Vector, ranks: Iterable[str]) -> Vector:
        """Return the same after the side that moves has laid cards from its hand."""
        at = self._at[MOVED]
        for rank in ranks:
            before = _sum((before, at[UNKNOWN, rank], map(neg, at[HAND, rank])))
        return before

    def chance(self, moved: Vector, to_move: Vector) -> float:
        """Return the chance to win of the side that has moved."""
        inner = map(add, moved, to_move)
        score = self._last + sum([x * y for x, y in zip(inner, self._outer, strict=True) if x > 0])
        return 1 / (1 + exp(-max(-30.0, score)))


def _sum(vectors: Iterable[Iterable[float]]) -> Vector:
    return list(map(sum, zip(*vectors, strict=True)))
