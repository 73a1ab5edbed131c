"""Signals over simulated ladders: honest ones alarm no more often than stated, colluders do."""

import random
from collections import defaultdict
from itertools import product

import pytest
from scipy import stats

from arena.domain.fairplay import collusion
from arena.domain.fairplay.collusion import RatedMatch
from arena.domain.ratings import elo

BOTS = 16
MATCHES = 1200
LADDERS = 25


class Pool:
    """A ladder of bots with true strengths, numbers by Elo, and versions that come and go."""

    def __init__(self, seed, bots=BOTS):
        self.chance = random.Random(seed)
        self.strength = {bot: self.chance.gauss(1500, 200) for bot in range(bots)}
        self.rating = defaultdict(lambda: elo.START)
        self.games = defaultdict(int)
        self.version = {bot: bot * 100 for bot in range(bots)}
        self.meetings = []

    def play(self, matches):
        for _ in range(matches):
            if self.chance.random() < 0.01:
                self.renew(self.chance.randrange(len(self.strength)))
            self.meet(*self.pair())

    def pair(self):
        """Match somebody with one of those who are near by number, as the matchmaker does."""
        one = self.chance.randrange(len(self.strength))
        others = [bot for bot in self.strength if bot != one]
        return one, min(
            others,
            key=lambda bot: abs(self.rating[bot] - self.rating[one] + self.chance.gauss(0, 150)),
        )

    def renew(self, bot):
        """Give a bot a version that is somewhat better or worse than the one before."""
        self.version[bot] += 1
        self.strength[bot] += self.chance.gauss(20, 60)

    def meet(self, one, other, score=None, forfeited=(False, False)):
        expected = elo.expected(self.rating[one], self.rating[other])
        if score is None:
            truth = elo.expected(self.strength[one], self.strength[other])
            score = sum(self.game(truth) for _ in range(2)) / 2
        versions = (self.version[one], self.version[other])
        self.meetings.append(RatedMatch((one, other), versions, expected, score, forfeited))
        for bot, version, gain in ((one, versions[0], 1), (other, versions[1], -1)):
            k = elo.k_factor(self.games[version])
            self.rating[bot] += gain * k * (score - expected)
            self.games[version] += 2

    def game(self, truth):
        draw = min(0.1, truth, 1 - truth)
        return self.chance.choices([1.0, 0.5, 0.0], [truth - draw / 2, draw, 1 - truth - draw / 2])[
            0
        ]


@pytest.mark.slow
@pytest.mark.parametrize("signal", [collusion.one_sided_pairs, collusion.one_sided_versions])
def test_honest_ladders_raise_no_more_false_alarms_than_stated(signal):
    alarmed = 0
    for seed in range(LADDERS):
        pool = Pool(seed)
        pool.play(MATCHES)
        alarmed += bool(signal(pool.meetings))

    # Were the rate as stated, more than this many of the ladders would alarm once in 10 000 times.
    assert alarmed <= stats.binom.isf(1e-4, LADDERS, collusion.ALARM)


@pytest.mark.slow
def test_honest_forfeits_raise_no_more_false_alarms_than_stated():
    alarmed = 0
    for seed in range(200):
        pool = Pool(seed)
        fragile = {bot: pool.chance.choice([0.0, 0.02, 0.3]) for bot in pool.strength}
        for _ in range(300):
            one, other = pool.pair()
            fell = tuple(pool.chance.random() < fragile[bot] for bot in (one, other))
            pool.meet(one, other, forfeited=fell)
        alarmed += bool(collusion.forfeits_to_one(pool.meetings))

    assert alarmed <= stats.binom.isf(1e-4, 200, collusion.ALARM)


def test_a_bot_that_gives_its_matches_to_one_other_is_found():
    pool = Pool(1)
    pool.strength.update({3: 1700.0, 5: 1500.0})
    pool.play(MATCHES)

    for _ in range(12):
        pool.meet(3, 5, 0.0)
        pool.play(10)

    worst = collusion.one_sided_pairs(pool.meetings)[0]
    assert (worst.winner, worst.loser) == (5, 3)
    assert worst.p <= collusion.ALARM
    assert worst.score > worst.expected + 2


def test_a_version_that_comes_to_lose_to_one_other_is_found():
    pool = Pool(2)
    pool.strength.update({0: 1700.0, 1: 1700.0})
    pool.play(MATCHES)
    pool.version[0] = feeding = 99

    for _ in range(12):
        pool.meet(0, 1, 0.0)
        pool.play(10)

    found = collusion.one_sided_versions(pool.meetings)
    assert (found[0].winner, found[0].loser, found[0].version) == (1, 0, feeding)


def test_a_version_that_is_bad_against_everybody_is_no_turn():
    pool = Pool(3)
    pool.play(MATCHES)
    pool.version[0] += 1
    pool.strength[0] -= 600

    for other in [*range(1, BOTS)] * 3:
        pool.meet(0, other)

    assert [row for row in collusion.one_sided_versions(pool.meetings) if row.loser == 0] == []


def test_forfeits_to_one_opponent_are_found():
    pool = Pool(4)
    pool.play(600)
    for _ in range(8):
        pool.meet(2, 7, 0.0, forfeited=(True, False))
    for _ in range(12):
        pool.meet(7, 2)

    found = collusion.forfeits_to_one(pool.meetings)

    assert [(row.bot, row.opponent, row.forfeited_to_it, row.forfeited) for row in found] == [
        (2, 7, 8, 8)
    ]


def test_few_forfeits_say_nothing():
    pool = Pool(5)
    pool.play(600)
    pool.meet(2, 7, 0.0, forfeited=(True, False))
    pool.meet(2, 7, 0.0, forfeited=(True, False))

    assert collusion.forfeits_to_one(pool.meetings) == []


def exact_tail(expected, score):
    """Add up all outcomes of won or lost matches."""
    found = 0.0
    for results in product((0, 1), repeat=len(expected)):
        if sum(results) >= score:
            p = 1.0
            for mean, won in zip(expected, results, strict=True):
                p *= mean if won else 1 - mean
            found += p
    return found


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_is_never_below_the_exact_tail_and_equal_at_the_end(seed):
    chance = random.Random(seed)
    expected = [chance.uniform(0.05, 0.95) for _ in range(9)]

    for score in range(10):
        exact = exact_tail(expected, score)
        assert exact * (1 - 1e-9) <= collusion.tail(expected, score) <= 1.0
    assert collusion.tail(expected, 9) == pytest.approx(exact_tail(expected, 9))


def test_the_bound_is_near_enough_to_say_something():
    exact = float(stats.binom.sf(17, 20, 0.5))

    assert exact < collusion.tail([0.5] * 20, 18) < 20 * exact


def test_the_hypergeometric_tail_is_that_of_an_independent_library():
    for hits, drawn, marked, total in [
        (3, 5, 10, 100),
        (8, 8, 20, 150),
        (0, 4, 3, 9),
        (4, 9, 4, 30),
    ]:
        known = stats.hypergeom.sf(hits - 1, total, marked, drawn)
        assert collusion.hypergeometric_tail(hits, drawn, marked, total) == pytest.approx(known)


def test_accounts_that_only_challenge_each_other_are_found():
    honest = [(1, 2), (1, 3), (2, 4), (3, 1), (4, 1), (2, 3), (5, 1), (5, 1), (5, 1)]
    circle = [(8, 9)] * 4 + [(9, 8)] * 3

    found = collusion.circles(honest + circle, owners=20)

    assert [(row.owners, row.challenges) for row in found] == [((8, 9), 7)]
    assert found[0].p == pytest.approx(7 * (1 / 19) ** 6)


def test_accounts_that_have_nobody_else_to_challenge_are_not_suspected():
    assert collusion.circles([(8, 9)] * 4 + [(9, 8)] * 3, owners=2) == []
