"""The sequential test, against a general optimizer, and in the soak by simulation."""

import math
from collections import Counter
from functools import cache
from random import Random

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from arena.domain.bots import operating_characteristics
from botkit import sprt
from botkit.sprt import Design, PairCounts, Verdict

DESIGN = Design(60.0)
MAX_GAMES = 800


@cache
def likelihood(counts, deviations):
    """Maximize the log-likelihood of the counts so many deviations above 0.5, without tilts."""
    weights = np.array([count or sprt.UNSEEN for count in counts], dtype=float)
    numbers = np.linspace(0.0, 1.0, len(counts))

    def too_many(logits):
        shares = softmax(logits)
        mean = numbers @ shares
        return (mean - 0.5) / math.sqrt(shares @ (numbers - mean) ** 2) - deviations

    found = [
        minimize(
            lambda logits: -weights @ log_softmax(logits),
            start,
            constraints=[{"type": "eq", "fun": too_many}],
            method="SLSQP",
            options={"ftol": 1e-12, "maxiter": 1000},
        )
        for start in np.random.default_rng(1).normal(size=(3, len(counts)))
    ]
    assert all(each.success for each in found)
    return max(-each.fun for each in found)


@pytest.mark.parametrize(
    "counts",
    [
        [3, 10, 20, 12, 5],
        [0, 0, 0, 0, 5],
        [7, 0, 0, 0, 0],
        [1, 2, 30, 4, 9],
        [0, 0, 9, 0, 0],
        [9, 0, 0, 0, 9],
        [0, 1, 2, 5, 30, 9, 3, 0, 0],
    ],
)
@pytest.mark.parametrize("deviations", [-0.2, 0.1, 0.8])
def test_the_ratio_is_that_of_the_likeliest_distributions(counts, deviations):
    expected = likelihood(tuple(counts), deviations) - likelihood(tuple(counts), 0.0)

    found = sprt.log_ratio(counts, deviations=deviations)

    assert found == pytest.approx(expected, abs=1e-6)


def test_the_scale_is_that_of_normalized_elo():
    # One standard deviation of a game is 347 normalized Elo, so a margin of as much is 1 / √2 of
    # the deviation of a pair's mean.
    assert sprt.head_deviations(800 / math.log(10)) == pytest.approx(math.sqrt(2))
    assert sprt.panel_deviations(800 / math.log(10)) == pytest.approx(1.0)


def test_bounds_are_those_of_wald():
    assert (DESIGN.lower, DESIGN.upper) == pytest.approx((-math.log(19), math.log(19)))


def test_better_and_worse_are_mirror_images():
    chance = Random(3)
    head = [chance.randrange(40) for _ in range(5)]
    panel = [chance.randrange(9) for _ in range(9)]

    one = sprt.evaluate(counts=PairCounts(head, panel), design=DESIGN)
    other = sprt.evaluate(counts=PairCounts(head[::-1], panel[::-1]), design=DESIGN)

    assert (one.llr_better, one.llr_worse) == (other.llr_worse, other.llr_better)


def test_pair_counted_by_share_two_by_difference():
    counts = PairCounts()

    counts.add_head(0.75)
    counts.add_panel(new=1.0, old=0.25)

    assert counts == PairCounts([0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 1, 0])
    assert counts.games == 6


@pytest.mark.parametrize(
    ("head", "verdict"),
    [
        ([0, 0, 0, 0, 40], Verdict.BETTER),
        ([40, 0, 0, 0, 0], Verdict.WORSE),
        ([0, 0, 60, 0, 0], Verdict.LEVEL),
        ([2, 0, 1, 0, 3], None),
    ],
)
def test_plain_evidence_gets_the_plain_verdict(head, verdict):
    assert sprt.evaluate(counts=PairCounts(head), design=DESIGN).verdict == verdict


def test_a_panel_alone_can_decide():
    panel = [0, 0, 0, 0, 0, 0, 30, 0, 60]

    assert sprt.evaluate(counts=PairCounts(panel=panel), design=DESIGN).verdict == "better"


def trial(design, pairs, rng):
    """Let equal versions play until there is a verdict; return it and the number of games.

    `pairs` tells how often a bot takes 0, ½, 1, 1½ or 2 points of two games.
    """
    counts, met, verdict = PairCounts(), 0, None
    while verdict is None and counts.games < MAX_GAMES:
        met += 1
        if met % sprt.PANEL_EVERY:
            counts.add_head(points_of(pairs, rng))
        else:
            counts.add_panel(points_of(pairs, rng), points_of(pairs, rng))
        verdict = sprt.evaluate(counts=counts, design=design).verdict
    return verdict, counts.games


def points_of(pairs, rng):
    return rng.choices(range(sprt.HEAD_STEPS + 1), pairs)[0] / sprt.HEAD_STEPS


@pytest.mark.soak
@pytest.mark.parametrize("pairs", [(39, 7, 77, 6, 71), (16, 0, 85, 0, 99), (50, 0, 100, 0, 50)])
def test_what_is_reckoned_beforehand_is_what_happens(pairs):
    """The first two are of house bots that are about as strong, in `cards` and `general`."""
    design, rng = Design(120.0), Random(1)
    told = operating_characteristics.of(design=design, nelo=0, max_games=MAX_GAMES)
    weights = [count or sprt.UNSEEN for count in pairs]
    level = sprt.likeliest([0.0, 0.25, 0.5, 0.75, 1.0], weights, sprt.head_deviations(0))

    ended = [trial(design, level, rng) for _ in range(40)]

    assert sum(games for _, games in ended) / 40 == pytest.approx(told.games, rel=0.3)
    verdicts = Counter(verdict for verdict, _ in ended)
    for verdict, share in ((Verdict.BETTER, told.better), (Verdict.LEVEL, told.level)):
        assert verdicts[verdict] / 40 == pytest.approx(share, abs=0.15)


def test_probabilities_of_all_ends_add_to_one():
    told = operating_characteristics.of(design=DESIGN, nelo=20.0, max_games=100)

    assert told.better + told.worse + told.level + told.unknown == pytest.approx(1.0)
    assert told.games <= 100
    mirrored = operating_characteristics.of(design=DESIGN, nelo=-20.0, max_games=100)
    assert (mirrored.better, mirrored.worse) == pytest.approx((told.worse, told.better))


@pytest.mark.parametrize(
    ("counts", "reaches"),
    [([0, 0, 0, 0, 20], (0.896, 1.0)), ([20, 0, 0, 0, 0], (0.0, 0.104)), ([0, 0, 1, 0, 0], (0, 1))],
)
def test_interval_may_reach_end_of_range(counts, reaches):
    assert sprt.mean_interval(counts) == pytest.approx(reaches, abs=1e-3)


def test_elo_is_difference_at_expected_score():
    assert [sprt.elo(score) for score in (0.0, 0.5, 10 / 11, 1.0)] == pytest.approx(
        [-math.inf, 0.0, 400.0, math.inf]
    )
