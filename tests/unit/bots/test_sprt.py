"""The sequential test, against a general optimizer and by simulation."""

import math
from random import Random

import numpy as np
import pytest
from scipy.optimize import minimize

from arena.domain.bots import sprt
from arena.domain.bots.sprt import Design, PairCounts, Verdict
from tests.unit.bots import trial_games

DESIGN = Design(50.0)
WIDE = Design(100.0)  # a quarter of the games
TRIALS = 100
SPREAD = 4 * math.sqrt(0.05 * 0.95 / TRIALS)  # four standard errors of a share of 5 %


def likelihood(counts, mean):
    """Maximize the log-likelihood of the counts under a mean, knowing nothing of tilts."""
    weights = np.array([count or sprt.UNSEEN for count in counts], dtype=float)
    numbers = np.linspace(0.0, 1.0, len(counts))
    found = minimize(
        lambda shares: -np.sum(weights * np.log(shares)),
        np.full(len(counts), 1 / len(counts)),
        bounds=[(1e-12, 1.0)] * len(counts),
        constraints=[
            {"type": "eq", "fun": lambda shares: shares.sum() - 1},
            {"type": "eq", "fun": lambda shares: numbers @ shares - mean},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return -found.fun


@pytest.mark.parametrize(
    "counts",
    [
        [3, 10, 20, 12, 5],
        [0, 0, 0, 0, 5],
        [7, 0, 0, 0, 0],
        [1, 2, 30, 4, 9],
        [0, 0, 9, 0, 0],
        [0, 1, 2, 5, 30, 9, 3, 0, 0],
    ],
)
@pytest.mark.parametrize("mean", [0.43, 0.57, 0.8])
def test_the_ratio_is_that_of_the_likeliest_spreads(counts, mean):
    expected = likelihood(counts, mean) - likelihood(counts, 0.5)

    found = sprt.log_ratio(counts, mean0=0.5, mean1=mean)

    assert found == pytest.approx(expected, abs=1e-3)


def test_of_wins_alone_each_is_worth_the_ratio_of_the_means():
    found = sprt.log_ratio([0, 0, 0, 0, 10], mean0=0.5, mean1=0.6)

    assert found == pytest.approx(10 * math.log(0.6 / 0.5), abs=1e-2)


def test_without_evidence_there_is_no_verdict():
    judgement = sprt.judge(evidence=PairCounts(), design=DESIGN)

    assert (judgement.llr_better, judgement.llr_worse, judgement.verdict) == (0.0, 0.0, None)


def test_bounds_are_those_of_wald():
    assert (DESIGN.lower, DESIGN.upper) == pytest.approx((-math.log(19), math.log(19)))


def test_better_and_worse_are_mirror_images():
    chance = Random(3)
    head = [chance.randrange(40) for _ in range(5)]
    panel = [chance.randrange(9) for _ in range(9)]

    one = sprt.judge(evidence=PairCounts(head, panel), design=DESIGN)
    other = sprt.judge(evidence=PairCounts(head[::-1], panel[::-1]), design=DESIGN)

    assert (one.llr_better, one.llr_worse) == (other.llr_worse, other.llr_better)


def test_a_pair_is_counted_by_its_share_and_two_by_their_difference():
    evidence = PairCounts()

    evidence.add_head(0.75)
    evidence.add_panel(new=1.0, old=0.25)

    assert evidence == PairCounts([0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 1, 0])
    assert evidence.games == 6


@pytest.mark.parametrize(
    ("head", "verdict"),
    [
        ([0, 0, 0, 0, 40], Verdict.BETTER),
        ([40, 0, 0, 0, 0], Verdict.WORSE),
        ([0, 0, 200, 0, 0], Verdict.LEVEL),
        ([2, 0, 1, 0, 3], None),
    ],
)
def test_plain_evidence_gets_the_plain_verdict(head, verdict):
    assert sprt.judge(evidence=PairCounts(head), design=DESIGN).verdict == verdict


def test_a_panel_alone_can_decide():
    panel = [0, 0, 0, 0, 0, 0, 30, 0, 60]

    assert sprt.judge(evidence=PairCounts(panel=panel), design=DESIGN).verdict == "better"


def test_a_version_that_is_no_better_is_seldom_called_better_or_worse():
    shares, _games = trial_games.many(WIDE, 0, trials=TRIALS)

    assert shares[Verdict.BETTER] <= WIDE.alpha + SPREAD
    assert shares[Verdict.WORSE] <= WIDE.alpha + SPREAD


@pytest.mark.parametrize(
    ("difference", "right", "wrong"),
    [(100, Verdict.BETTER, Verdict.WORSE), (-100, Verdict.WORSE, Verdict.BETTER)],
)
def test_a_difference_of_the_margin_is_seldom_missed(difference, right, wrong):
    shares, games = trial_games.many(WIDE, difference, trials=TRIALS)

    assert shares[Verdict.LEVEL] <= WIDE.beta + SPREAD
    assert shares[right] >= 1 - WIDE.beta - SPREAD
    assert shares[wrong] == 0
    assert games < trial_games.MAX_GAMES / 2


def test_the_greater_the_difference_the_fewer_the_games():
    means = [trial_games.many(WIDE, gap, trials=60)[1] for gap in (100, 200, 400)]

    assert means == sorted(means, reverse=True)
