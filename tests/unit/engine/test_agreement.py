"""The engine agrees with a naive second one that was written from the sentences alone."""

from itertools import islice

import pytest

from engine.registry import variants
from tests.independent.comparison import compare
from tests.independent.naive import naive

LONG = ("siege",)  # games that take long to reach every ending
RARE = {"siege": (715, 730, 733, 740, 756)}  # games that soon reach every ending
GAMES = 5
MOST = 500


@pytest.mark.parametrize(
    "slug", [pytest.param(slug, marks=[pytest.mark.slow] * (slug in LONG)) for slug in variants()]
)
def test_games_agree_ply_by_ply_until_every_ending(slug):
    """`python -m tests.independent` plays thousands of other games."""
    rng_seeds = iter([*RARE.get(slug, ()), *range(315, 315 + MOST)])
    reached = compare(variants()[slug], naive(slug), islice(rng_seeds, GAMES))
    while reached.keys() < naive(slug).endings:
        reached += compare(variants()[slug], naive(slug), [next(rng_seeds)])

    assert reached.total() >= GAMES
    assert reached.keys() == naive(slug).endings
