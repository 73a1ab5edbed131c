"""Chance that is the same on every machine and in every Python: no global state, no clock.

`random.Random.getrandbits` is the one method whose stream Python promises to keep for a given seed
together with `random()`; shuffling and choosing are therefore built on it here.
"""

import hashlib
import random
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

T = TypeVar("T")


class Rng:
    """A stream of choices from one `rng_seed` and a label that keeps independent uses apart."""

    def __init__(self, rng_seed: int, label: str = "") -> None:
        self._random = random.Random(f"{rng_seed}/{label}")  # noqa: S311 - games, not secrets

    def below(self, limit: int) -> int:
        """Return an unbiased whole number in [0, limit). Raise ValueError where there is none."""
        if limit < 1:
            raise ValueError(f"there is no whole number in [0, {limit})")
        bits = limit.bit_length()
        while True:
            value = self._random.getrandbits(bits)
            if value < limit:
                return value

    def choice(self, items: Sequence[T]) -> T:
        """Pick one item. Raise ValueError where there is none."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place (Fisher-Yates, Knuth TAOCP 2, 3.4.2 algorithm P)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


def seat_seed(rng_seed: int, seat: str) -> int:
    """Return a seat a seed for its own dice, which any reader of JSON keeps (48 bits).

    It is the same for the same `rng_seed` and seat, and tells neither the `rng_seed` nor the dice
    of another seat: a bot whose program is known could otherwise be played out in advance. Every
    game of a match has another `rng_seed` (`engine.chance`), and so have the dice of its seats.
    """
    return int.from_bytes(hashlib.sha256(f"{rng_seed}/dice of {seat}".encode()).digest()[:6])
