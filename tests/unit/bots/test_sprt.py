"""The sequential test, against a general optimizer and by simulation."""

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
from tests.unit.bots import trial_games

DESIGN = Design(60.0)
WIDE = Design(120.0)  # a quarter of the games
TRIALS = 40
SPREAD = 4 * math.sqrt(0.05 * 0.95 / TRIALS)  # four standard errors of a share of 5 %


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


@pytest.mark.slow
def test_no_better_version_seldom_called_better_or_worse():
    shares, _games = trial_games.many(WIDE, trial_games.PAIRS["general"], 0, trials=TRIALS)

    assert shares[Verdict.BETTER] <= WIDE.alpha + SPREAD
    assert shares[Verdict.WORSE] <= WIDE.alpha + SPREAD


@pytest.mark.slow
def test_a_difference_of_the_margin_is_seldom_missed():
    shares, games = trial_games.many(WIDE, trial_games.PAIRS["siege"], -120, trials=TRIALS)

    assert shares[Verdict.LEVEL] <= WIDE.beta + SPREAD
    assert shares[Verdict.WORSE] >= 1 - WIDE.beta - SPREAD
    assert shares[Verdict.BETTER] == 0
    assert games < trial_games.MAX_GAMES / 4


@pytest.mark.slow
def test_what_is_reckoned_beforehand_is_what_happens():
    shares, games = trial_games.many(WIDE, trial_games.PAIRS["chance decides"], 0, trials=TRIALS)
    told = operating_characteristics.of(design=WIDE, nelo=0, max_games=trial_games.MAX_GAMES)

    assert games == pytest.approx(told.games, rel=0.3)
    for verdict, share in ((Verdict.BETTER, told.better), (Verdict.LEVEL, told.level)):
        assert shares[verdict] == pytest.approx(share, abs=0.15)


def test_probabilities_of_all_ends_add_to_one():
    told = operating_characteristics.of(design=DESIGN, nelo=20.0, max_games=100)

    assert told.better + told.worse + told.level + told.unknown == pytest.approx(1.0)
    assert told.games <= 100
    mirrored = operating_characteristics.of(design=DESIGN, nelo=-20.0, max_games=100)
    assert (mirrored.better, mirrored.worse) == pytest.approx((told.worse, told.better))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "pairs"), [("cards", 25), ("siege", 50), ("general", 200)])
def test_mean_interval_holds_truth_nineteen_of_twenty(name, pairs):
    chance, shares = Random(1), trial_games.PAIRS[name]
    truth = sum(index * share for index, share in enumerate(shares)) / 4 / sum(shares)
    inside = 0
    for _ in range(400):
        drawn = Counter(chance.choices(range(5), shares, k=pairs))
        low, high = sprt.mean_interval([drawn[index] for index in range(5)])
        inside += low <= truth <= high

    assert 0.92 <= inside / 400 <= 0.98


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
