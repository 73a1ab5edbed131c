"""The order in which a ladder ends up with the house bots."""

import itertools
import os

import pytest

from arena.domain.ratings import elo
from tests.integration.house_bots import house
from tests.integration.house_bots.house import points
from tests.soak.jobs import SEED
from tools.demo.play import HOUSE_BOTS

# Those that are clearly apart: a short ladder does not order neighbours of a hundred Elo.
LADDERS = {
    slug: [bot for bot in ladder if bot in HOUSE_BOTS] for slug, ladder in house.LADDERS.items()
}

PAIRS = {"cards": 12}  # between any two bots; chance decides more at cards than elsewhere
FEWER = 5  # with 3 opponents that is 30 games a bot
FEW = {"cards": range(3, 6)}  # deals that so few pairs are enough with
FEWEST = range(2)
SOAK_SEED = int(os.environ.get(SEED, "1"))


@pytest.mark.parametrize("slug", LADDERS)
@pytest.mark.kept("general")
def test_the_ladder_orders_the_house_bots_by_strength(slug: str) -> None:
    assert_order(slug, FEW.get(slug, FEWEST))


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("slug", LADDERS)
def test_the_ladder_orders_them_with_other_deals(slug: str) -> None:
    pairs = 3 * PAIRS.get(slug, FEWER)
    assert_order(slug, range(SOAK_SEED, SOAK_SEED + pairs))


def assert_order(slug: str, rng_seeds: range) -> None:
    ladder = LADDERS[slug]
    ratings = dict.fromkeys(ladder, elo.START)
    games = dict.fromkeys(ladder, 0)
    for rng_seed in rng_seeds:
        for one, other in itertools.combinations(ladder, 2):
            rate(ratings, games, one, other, points_of_pair(slug, one, other, rng_seed))

    assert sorted(ratings, key=lambda name: ratings[name]) == list(ladder), ratings


def points_of_pair(slug: str, one: str, other: str, rng_seed: int) -> float:
    """Return the mean of what `one` gets from the two games of a pair."""
    return (points(slug, one, other, rng_seed)[0] + points(slug, other, one, rng_seed)[1]) / 2


def rate(
    ratings: dict[str, float], games: dict[str, int], one: str, other: str, score: float
) -> None:
    before = ratings[one], ratings[other]
    for name, own, opponent, got in ((one, *before, score), (other, *before[::-1], 1 - score)):
        ratings[name] = elo.updated(
            own, expected=elo.expected(own, opponent), score=got, k=elo.k_factor(games[name])
        )
        games[name] += 2
