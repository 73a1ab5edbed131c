"""The engine agrees with a naive second one that was written from the sentences alone."""

import pytest

from engine.registry import variants
from tests.independent.comparison import compare
from tests.independent.naive import naive

LONG = ("siege",)  # games that take long to reach every ending
FIRST = {"siege": 715}  # from here on few games reach every ending
FIRST_OF_OTHERS = 315
GAMES = 15
MOST = 500


@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=[pytest.mark.slow] * (slug in LONG)) for slug in variants()]
)
def test_games_agree_ply_by_ply_until_every_ending(slug):
    """`python -m tests.independent` plays thousands of other games."""
    first = FIRST.get(slug, FIRST_OF_OTHERS)
    reached = compare(variants()[slug], naive(slug), range(first, first + GAMES))
    rng_seeds = iter(range(first + GAMES, first + MOST))
    while reached.keys() < naive(slug).endings:
        rng_seed = next(rng_seeds)
        reached += compare(variants()[slug], naive(slug), range(rng_seed, rng_seed + 1))

    assert reached.total() >= GAMES
    assert reached.keys() == naive(slug).endings
