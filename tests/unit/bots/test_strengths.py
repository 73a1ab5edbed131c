"""The Elo list of `drapeau bench --round-robin`: strengths from the pairs of all meetings."""

import math
from itertools import combinations
from random import Random

import pytest

from botkit import sprt, strengths
from botkit.strengths import SMOOTHING

LADDER = [-300.0, -150.0, 0.0, 120.0, 330.0]


def expected(gap):
    return 1 / (1 + 10 ** (-gap / 400))


def drawn(truth, meetings, pairs, rng):
    """Play pairs of games that end by chance; return the counts of each meeting."""
    counts = {}
    for one, other in meetings:
        chance = expected(truth[one] - truth[other])
        counts[one, other] = [0] * 5
        for _ in range(pairs):
            won = sum(rng.random() < chance for _ in range(2))
            counts[one, other][2 * won] += 1
    return counts


def test_two_bots_have_bench_difference_and_interval():
    counts = [6, 4, 34, 7, 49]

    found = strengths.fit(2, {(0, 1): counts})

    score = sum(index * count for index, count in enumerate(counts)) / 4 / 100
    low, high = map(sprt.elo, sprt.mean_interval(counts))
    gap = found.gap(0, 1)
    assert gap.elo == pytest.approx(sprt.elo(score), abs=1)
    assert (gap.low, gap.high) == pytest.approx((low, high), abs=8)
    assert found.of(0).elo == pytest.approx(-found.of(1).elo)
    assert found.of(0).elo == pytest.approx(gap.elo / 2)


def test_every_bot_is_expected_to_have_its_points():
    meetings = drawn(LADDER, [*combinations(range(5), 2)], 30, Random(1))

    found = strengths.fit(5, meetings)

    for place in range(5):
        had = should = 0.0
        for two, counts in meetings.items():
            if place in two:
                smoothed = [counts[0] + SMOOTHING, *counts[1:4], counts[4] + SMOOTHING]
                share = sum(index * count for index, count in enumerate(smoothed)) / 4
                had += share if place == two[0] else sum(smoothed) - share
                (other,) = set(two) - {place}
                should += sum(smoothed) * expected(found.gap(place, other).elo)
        assert had == pytest.approx(should, abs=1e-6)
    assert math.fsum(found.of(place).elo for place in range(5)) == pytest.approx(0, abs=1e-6)


def test_chain_steps_equal_meetings_and_errors_add_up():
    chain = {(0, 1): [10, 0, 40, 0, 50], (1, 2): [0, 10, 30, 30, 30], (2, 3): [1, 2, 60, 7, 30]}

    found = strengths.fit(4, chain)

    alone = [strengths.fit(2, {(0, 1): counts}).gap(0, 1) for counts in chain.values()]
    for (one, other), step in zip(chain, alone, strict=True):
        assert found.gap(one, other) == pytest.approx(step, abs=1e-6)
    whole = found.gap(0, 3)
    assert whole.elo == pytest.approx(sum(step.elo for step in alone))
    errors = math.sqrt(sum((step.high - step.elo) ** 2 for step in alone))
    assert whole.high - whole.elo == pytest.approx(errors)


def test_split_pairs_tell_more_than_games_by_lot():
    split = strengths.fit(2, {(0, 1): [1, 0, 98, 0, 1]}).gap(0, 1)
    by_lot = strengths.fit(2, {(0, 1): [25, 0, 50, 0, 25]}).gap(0, 1)

    assert split.elo == by_lot.elo == pytest.approx(0, abs=1e-6)
    assert by_lot.high / split.high == pytest.approx(math.sqrt(50 / 2), rel=0.1)


@pytest.mark.parametrize("counts", [[0, 0, 0, 0, 100], [0, 0, 0, 0, 1], [0] * 5])
def test_numbers_without_games_or_losses_finite_and_wide(counts):
    found = strengths.fit(3, {(0, 1): counts, (1, 2): [20, 0, 60, 0, 20]})

    gap = found.gap(0, 1)
    assert all(map(math.isfinite, gap))
    assert gap.high - gap.low > 400
    assert gap.elo == pytest.approx(sprt.elo((counts[4] + 0.1) / (counts[4] + 0.2)), abs=1e-3)
