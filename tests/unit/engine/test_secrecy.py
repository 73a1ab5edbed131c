"""Secrecy: what a seat cannot know changes nothing that it sees, hears or is refused."""

from itertools import product

import pytest

from engine.registry import resolve_options, variants
from engine.rng import Rng
from engine.variant import FULL, PUBLIC
from tests.unit.engine.games import (
    EVERY,
    READINGS,
    caps,
    observers,
    state_within,
    states_within,
)
from tests.unit.engine.leaky import LEAKY
from tests.unit.engine.secrecy import LONG, SHARES, hides, leaks, quiet_news

HIDING = [
    pytest.param(variant, id=slug)
    for slug, variant in variants().items()
    if hides(variant, state_within(variant, 1, 0.5, caps(variant)), variant.seats[0])
]
AT_ONCE = [
    pytest.param(variant, id=slug)
    for slug, variant in variants().items()
    if len(variant.asked(variant.begin(resolve_options(variant, {}), 0))) > 1
]


@pytest.mark.parametrize(("variant", "options"), READINGS)
@pytest.mark.parametrize(
    "rng_seed", [0, *(pytest.param(more, marks=pytest.mark.slow) for more in (1, 2))]
)
def test_nothing_hidden_reaches_an_observer(variant, options, rng_seed):
    assert leaks(variant, options, rng_seed) is None


@EVERY
def test_the_law_compares_states_that_differ(variant):
    """Wherever a seat sees less than all, what it cannot see is dealt anew, and events compared."""
    hidden, dealt, news = set(), set(), 0
    for rng_seed in range(3):
        states = states_within(variant, rng_seed, SHARES[:-1], caps(variant, LONG))
        for number, (state, seat) in enumerate(product(states, variant.seats)):
            twins = [variant.redeal(state, seat, Rng(n)) for n in range(4)]
            news += len(quiet_news(variant, seat, state, twins[0]))
            if any(hides(variant, each, seat) for each in (state, *twins)):
                hidden.add((rng_seed, number))
            if any(variant.view(twin, FULL) != variant.view(state, FULL) for twin in twins):
                dealt.add((rng_seed, number))

    assert dealt <= hidden
    assert len(hidden - dealt) <= len(hidden) / 4  # where one deal alone is left
    assert not hidden or (len(dealt) > len(SHARES) and news > 10)


@EVERY
def test_a_seat_knows_what_the_public_knows(variant):
    """What is dealt anew for the public differs for it no more than for any seat."""
    state = state_within(variant, 3, 0.5)
    twin = variant.redeal(state, PUBLIC, Rng(5))

    assert variant.view(twin, PUBLIC) == variant.view(state, PUBLIC)
    assert hides(variant, state, PUBLIC) >= any(hides(variant, state, s) for s in variant.seats)


@pytest.mark.parametrize("leaking", LEAKY)
@pytest.mark.parametrize("variant", HIDING)
def test_a_variant_that_leaks_is_caught(variant, leaking):
    assert leaks(leaking(variant), {}, 1) is not None


@EVERY
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_redealt_game_goes_on_and_leaves_first_alone(variant, share):
    state = state_within(variant, 2, share, caps(variant))
    before = [variant.view(state, observer) for observer in observers(variant)]
    for seat in variant.seats:
        twin, rng = variant.redeal(state, seat, Rng(1)), Rng(2)
        while variant.result(twin) is None:
            asked = variant.asked(twin)[0]
            variant.apply(twin, asked, variant.sample(twin, asked, rng))
        assert variant.view(twin, FULL)["phase"] == "over"

    assert [variant.view(state, observer) for observer in observers(variant)] == before


@pytest.mark.parametrize("variant", AT_ONCE)
def test_no_message_tells_when_another_seat_has_deployed(variant):
    state = variant.begin(resolve_options(variant, {}), 0)
    before = {who: variant.view(state, who) for who in (*variant.seats, PUBLIC)}
    first, *others = variant.seats

    events = variant.apply(state, first, variant.sample(state, first, Rng(1)))

    assert events == ()
    for who in (*others, PUBLIC):
        assert variant.view(state, who) == before[who]
