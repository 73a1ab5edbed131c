"""Who plays which seat in the games of a match."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from engine.errors import WrongEntrants
from engine.rng import Rng
from engine.variant import Variant

E = TypeVar("E")


def entrant_counts(variant: Variant[Any]) -> tuple[int, ...]:
    """Return how many entrants a match may have, the fewest first: one a side, or one a seat."""
    return tuple(sorted({len(variant.sides), len(variant.seats)}))


def seatings(
    variant: Variant[Any], options: Mapping[str, Any], rng_seed: int, entrants: Sequence[E]
) -> tuple[dict[str, E], ...]:
    """Return the seats of every game of a match. `rng_seed` draws the lot of the seats only.

    With as many entrants as sides, each holds all seats of one side; with as many as seats, each
    holds one. In the first game they sit in their order, or by a lot that the `rng_seed` draws
    where the option `red_by_lot` says so; with every further game all move on by one place, until
    each has been in every place once. Raise WrongEntrants.
    """
    place_of = _places(variant, len(entrants))
    order = list(entrants)
    if options.get("red_by_lot", False):
        Rng(rng_seed, "seats").shuffle(order)
    return tuple(
        {seat: order[(place_of[seat] + turn) % len(order)] for seat in variant.seats}
        for turn in range(len(order))
    )


def _places(variant: Variant[Any], entrants: int) -> dict[str, int]:
    """Return every seat the number of its place, of which there are as many as entrants."""
    counts = entrant_counts(variant)
    if entrants not in counts:
        allowed = " or ".join(map(str, counts))
        raise WrongEntrants(f"a match of {variant.name} has {allowed} entrants, not {entrants}")
    if entrants == len(variant.seats):
        return {seat: place for place, seat in enumerate(variant.seats)}
    return {seat: place for place, seats in enumerate(variant.sides.values()) for seat in seats}
