"""Who plays which seat."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from engine.rng import Rng
from engine.variant import Variant

E = TypeVar("E")


def seat_entrants(
    variant: Variant[Any], options: Mapping[str, Any], rng_seed: int, entrants: Sequence[E]
) -> dict[str, E]:
    """Give each seat an entrant: in their order, or by lot where the option `red_by_lot` says so.

    The same `rng_seed` draws the same lot; the second game of a pair exchanges the seats of the
    first.
    """
    order = list(entrants)
    if options.get("red_by_lot", False):
        Rng(rng_seed, "seats").shuffle(order)
    return dict(zip(variant.seats, order, strict=True))
