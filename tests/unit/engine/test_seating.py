"""The seatings of a whole match, over the registry and a stand-in with a side of two seats."""

from collections import Counter
from dataclasses import replace

import pytest

from engine.errors import WrongEntrants
from engine.registry import find, resolve_options, variants
from engine.seating import entrant_counts, seatings

# What sits where does not depend on any other rule of the game.
SIEGE_LIKE = replace(
    find("classic"),
    seats=("garrison", "white", "black"),
    sides={"garrison": ("garrison",), "besiegers": ("white", "black")},
)


@pytest.mark.parametrize("entrants", [2, 3])
def test_lot_moves_everybody_and_is_reproducible(entrants):
    lots = [
        seatings(SIEGE_LIKE, {"red_by_lot": True}, rng_seed, range(entrants))
        for rng_seed in range(40)
    ]

    assert {first["garrison"] for first, *_rest in lots} == set(range(entrants))
    assert lots == [
        seatings(SIEGE_LIKE, {"red_by_lot": True}, rng_seed, range(entrants))
        for rng_seed in range(40)
    ]


@pytest.mark.parametrize(
    ("variant", "entrants", "counts"),
    [(SIEGE_LIKE, 0, "2 or 3"), (SIEGE_LIKE, 4, "2 or 3"), (find("classic"), 3, "2")],
)
def test_wrong_entrant_count_is_refused_naming_allowed_ones(variant, entrants, counts):
    with pytest.raises(WrongEntrants) as refused:
        seatings(variant, {}, 1, range(entrants))

    assert str(refused.value) == (
        f"a match of {variant.name} has {counts} entrants, not {entrants}"
    )


@pytest.mark.parametrize("variant", [*variants().values(), SIEGE_LIKE], ids=lambda v: v.slug)
def test_everybody_plays_every_place_once_on_one_side(variant):
    options = resolve_options(find(variant.slug), {})
    assert entrant_counts(variant) == tuple(sorted({len(variant.sides), len(variant.seats)}))
    for count in entrant_counts(variant):
        games = seatings(variant, options, 7, range(count))

        assert len(games) == count
        for seats in games:
            assert tuple(seats) == variant.seats
            assert set(seats.values()) == set(range(count))
            sides_of = {(who, variant.side_of(seat)) for seat, who in seats.items()}
            assert len(sides_of) == count
        held = Counter((seat, who) for seats in games for seat, who in seats.items())
        assert held == {(seat, who): 1 for seat in variant.seats for who in range(count)}
