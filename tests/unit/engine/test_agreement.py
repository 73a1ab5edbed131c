"""The engine agrees with a naive second one that was written from the sentences alone."""

from dataclasses import replace

import pytest

from engine.registry import variants
from tests.independent.comparison import Disagreement, compare
from tests.independent.naive import naive

EVERY = pytest.mark.parametrize("slug", variants())
FIRST = 218  # from here on few games reach every ending
GAMES = 20
MOST = 500


@pytest.mark.timeout(600)
@EVERY
def test_games_agree_ply_by_ply_until_every_ending_is_reached(slug):
    """`python -m tests.independent` plays thousands of other games."""
    reached = compare(variants()[slug], naive(slug), range(FIRST, FIRST + GAMES))
    rng_seeds = iter(range(FIRST + GAMES, FIRST + MOST))
    while reached.keys() < naive(slug).endings:
        rng_seed = next(rng_seeds)
        reached += compare(variants()[slug], naive(slug), range(rng_seed, rng_seed + 1))

    assert reached.total() >= GAMES
    assert reached.keys() == naive(slug).endings


def without_the_last(variant):
    return replace(variant, legal=lambda *asked: (variant.legal(*asked) or [])[:-1] or None)


def with_a_double(variant):
    def legal(*asked):
        listed = variant.legal(*asked)
        return [*listed, listed[0]] if listed else listed

    return replace(variant, legal=legal)


def that_plays_something_else(variant):
    def apply(state, seat, action):
        return variant.apply(state, seat, min(variant.legal(state, seat) or [action]))

    return replace(variant, apply=apply)


def that_ends_for_another_reason(variant):
    def result(state):
        ended = variant.result(state)
        return ended and replace(ended, termination="timeout")

    return replace(variant, result=result)


def that_turns_points_round(variant):
    def result(state):
        ended = variant.result(state)
        return ended and replace(ended, points=dict.fromkeys(ended.points, 1.0))

    return replace(variant, result=result)


BREAKS = [
    without_the_last,
    with_a_double,
    that_plays_something_else,
    that_ends_for_another_reason,
    that_turns_points_round,
]


@EVERY
@pytest.mark.slow
@pytest.mark.parametrize("broken", BREAKS)
def test_an_engine_that_breaks_a_rule_is_found_out(slug, broken):
    with pytest.raises(Disagreement, match=rf"{slug}@.*, rng_seed \d+, options .* differs"):
        compare(broken(variants()[slug]), naive(slug), range(5))
