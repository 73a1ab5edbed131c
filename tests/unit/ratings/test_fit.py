"""The ratings, against exact integrals and an independent program."""

import math

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from arena.domain.ratings import beliefs, covariance, davidson, elo, fit
from arena.domain.ratings.fit import Fit, GameCounts, MatchCounts


def duel(one, other, wins, draws, losses, times=1):
    return MatchCounts((GameCounts((one,), (other,), wins, draws, losses),), times)


def random_results(*, players, matches, draws, rng_seed):
    """Return matches of pairs between random players, everybody beaten by somebody."""
    rng = np.random.default_rng(rng_seed)
    truths = rng.normal(0, 0.8, players)
    results = []
    for _ in range(matches):
        one, other = rng.choice(players, 2, replace=False)
        gap = (truths[one] - truths[other]) / 2
        chances = np.array([math.exp(gap), draws, math.exp(-gap)])
        counts = rng.multinomial(2, chances / chances.sum())
        results.append(MatchCounts((GameCounts((int(one),), (int(other),), *map(int, counts)),)))
    return results


def everybody_meets(*, players, games, nu, rng_seed):
    """Return so many games of every two players."""
    rng = np.random.default_rng(rng_seed)
    truths = rng.normal(0, 200, players)
    results = []
    for one in range(players):
        for other in range(one + 1, players):
            gap = np.array(truths[one] - truths[other])
            chances = np.exp(np.array(davidson.log_probabilities(gap, nu)))
            counts = rng.multinomial(games, chances / chances.sum())
            results.append(duel(one, other, *map(int, counts)))
    return results


def half_widths(fitted: Fit):
    spans = [fitted.estimates[player] for player in sorted(fitted.estimates)]
    return np.array([(span.high - span.low) / 2 for span in spans])


def values(fitted: Fit):
    return np.array([fitted.estimates[player].value for player in sorted(fitted.estimates)])


def test_estimates_are_centred_on_those_asked_for():
    results = random_results(players=5, matches=60, draws=0.5, rng_seed=2)

    fitted = fit.fit(results, centre_on={1, 3})

    assert fitted.estimates[1].value + fitted.estimates[3].value == pytest.approx(3000)


def test_equal_matches_may_be_counted_or_listed():
    listed = random_results(players=3, matches=80, draws=0.5, rng_seed=4)
    counted = [MatchCounts(result.meetings, listed.count(result)) for result in set(listed)]

    one, other = fit.fit(listed), fit.fit(counted)

    assert values(one) == pytest.approx(values(other))
    assert half_widths(one) == pytest.approx(half_widths(other))


def test_above_dense_matrix_size_answer_nearly_same(monkeypatch):
    results = random_results(players=60, matches=900, draws=0.5, rng_seed=6)
    dense = fit.fit(results)

    monkeypatch.setattr(covariance, "DENSE_UP_TO", 10)
    sparse = fit.fit(results)

    assert values(sparse) == pytest.approx(values(dense), abs=2)
    assert half_widths(sparse) == pytest.approx(half_widths(dense), rel=0.25)
    assert half_widths(sparse).mean() == pytest.approx(half_widths(dense).mean(), rel=0.03)
    ranges, nearly = (
        np.array([ranks for _bot, ranks in sorted(fitted.rank_ranges(range(60)).items())])
        for fitted in (dense, sparse)
    )
    assert np.abs(ranges - nearly).mean() < 1


@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.integers(6, 9), st.integers(0, 2)), min_size=1, max_size=30
    )
)
@settings(max_examples=5)
def test_names_and_sides_change_nothing(played):
    results = [MatchCounts((GameCounts((a,), (b,), wins, 0, 2 - wins),)) for a, b, wins in played]
    turned = [MatchCounts((GameCounts((-b,), (-a,), 2 - wins, 0, wins),)) for a, b, wins in played]

    one, other = fit.fit(results).estimates, fit.fit(turned).estimates

    for player, estimate in one.items():
        assert estimate == pytest.approx(other[-player], abs=0.1)


def exact(games, fitted, known):
    """Return mean and 95 % interval of a strength that met only bots of `known` strength."""
    points = np.arange(-3000.0, 3001.0, 4.0)
    log = -2.5 * np.log1p((points / beliefs.PRIOR_SCALE) ** 2 / 4)
    effects = np.arange(-4, 4.01, 0.25)
    weight = np.exp(-(effects**2) / 2)
    for strength in known:
        gaps = points[:, None] - strength + fit.MATCH_UP_SD * effects
        logs = davidson.log_probabilities(gaps, fitted.draw)
        of_games = sum(count * each for count, each in zip(games, logs, strict=True))
        log += np.log(np.exp(of_games / fitted.dispersion) @ weight)
    found = np.exp(log - log.max())
    sums = np.cumsum(found / found.sum())
    return found @ points / found.sum(), np.interp((0.025, 0.975), sums, points)


@pytest.mark.parametrize("games", [(2, 0, 0), (0, 0, 2), (1, 1, 0), (14, 4, 2), (0, 20, 0)])
def test_rating_against_known_bots_is_exact_posterior(games):
    pool = everybody_meets(players=40, games=60, nu=0.5, rng_seed=4)
    met = range(0, 40, 8)
    results = [*pool, *(duel(99, other, *games) for other in met)]

    fitted = fit.fit(results, centre_on=range(40))

    rating = fitted.estimates[99]
    known = [fitted.estimates[other].value - 1500 for other in met]
    mean, (low, high) = exact(games, fitted, known)
    assert rating.value == pytest.approx(1500 + mean, abs=0.04 * (high - low))
    assert rating.low == pytest.approx(1500 + low, abs=0.06 * (high - low))
    assert rating.high == pytest.approx(1500 + high, abs=0.06 * (high - low))


def test_with_many_games_strengths_are_those_of_choix():
    results = everybody_meets(players=6, games=400, nu=0.001, rng_seed=5)
    beaten = []
    for (meeting,), _times in results:
        (one,), (other,), wins, _draws, losses = meeting
        beaten += [(one, other)] * wins + [(other, one)] * losses

    fitted = fit.fit(results)

    theirs = davidson.ELO_PER_NAT * choix.opt_pairwise(6, beaten, alpha=0.0)
    assert values(fitted) == pytest.approx(1500 + theirs - theirs.mean(), abs=15)
    assert fitted.draw < 0.01


def test_gap_near_equals_predicts_like_elo_formula():
    """Half of the games of equals are drawn; who gets 52 % of the points is 14 Elo better."""
    win, draw, loss = (math.exp(each) for each in davidson.log_probabilities(np.array(14.0), 2.0))

    assert win + draw + loss == pytest.approx(1)
    assert win + draw / 2 == pytest.approx(0.52, abs=0.0005)
    assert draw == pytest.approx(0.5, abs=0.001)
    gaps = np.array([-400.0, 30.0, 700.0])
    without_draws = davidson.predict(gaps, np.zeros(3), 1e-12).points
    assert without_draws == pytest.approx([elo.expected(gap, 0.0) for gap in gaps])


def test_dispersion_finds_matches_whose_games_are_alike():
    alike = [duel(1, 2, wins, 0, 2 - wins, 500) for wins in (0, 2)]
    lone = [duel(1, 2, wins, 0, 2 - wins, 250 * (1 + wins % 2)) for wins in (0, 1, 2)]
    cancelling = [duel(1, 2, 1, 0, 1, 1000)]

    found = [fit.fit(results).dispersion for results in (alike, lone, cancelling)]

    assert found == [pytest.approx(2, abs=0.15), pytest.approx(1, abs=0.05), 1.0]


def test_steps_of_versions_weigh_as_their_density_falls():
    def log_density(gap):
        return np.log(sum(share * norm.pdf(gap, scale=sd) for share, sd in beliefs.STEPS))

    gaps = np.array([5.0, 90.0, 400.0])
    slope = (log_density(gaps + 1e-3) - log_density(gaps - 1e-3)) / 2e-3

    assert fit._link_precision(gaps) == pytest.approx(-slope / gaps, rel=1e-4)


def test_game_of_sides_moves_each_mean():
    together = MatchCounts((GameCounts((1,), (2, 3), 2, 1, 0),), 10)

    fitted = fit.fit([together])

    first, second, third = (fitted.estimates[player] for player in (1, 2, 3))
    assert first.value > 1500 > second.value == pytest.approx(third.value)
    assert third.high - third.low > first.high - first.low  # nobody knows which of the two it was
    assert fitted.games == {1: 30, 2: 30, 3: 30}


SEPARABLE = [duel(one, other, 2, 0, 0, 10) for one in range(6) for other in range(one + 1, 6)]


@pytest.mark.parametrize(
    ("results", "order"),
    [
        ([], []),
        ([duel(1, 2, 1, 0, 0)], [1, 2]),
        ([duel(1, 2, 2, 0, 0, 100_000)], [1, 2]),
        ([duel(1, 2, 0, 2, 0, 20)], [1, 2]),
        (SEPARABLE, [0, 1, 2, 3, 4, 5]),
        ([duel(1, 2, 2, 0, 0, 5), duel(8, 9, 2, 0, 0, 5)], [1, 8, 2, 9]),
        ([duel(0, other, 2, 0, 0, 50) for other in range(1, 30)], [*range(30)]),
    ],
    ids=["nothing", "one game", "only wins", "only draws", "separable", "apart", "one giant"],
)
def test_every_ladder_has_finite_ratings(results, order):
    fitted = fit.fit(results)

    ratings = {player: round(each.value, 3) for player, each in fitted.estimates.items()}
    assert sorted(ratings, key=lambda player: (-ratings[player], player)) == order
    for each in fitted.estimates.values():
        assert -4000 < each.low < each.value < each.high < 7000
    assert sorted(fitted.rank_ranges(order)) == sorted(order)


def test_hardly_met_groups_less_sure_of_each_other():
    met, apart = duel(1, 2, 1, 0, 1, 200), duel(8, 9, 1, 0, 1, 200)
    bridge = duel(1, 8, 1, 0, 1, 200)

    alone, joined = fit.fit([met, apart]), fit.fit([met, apart, bridge])

    assert min(half_widths(alone)) > 2 * max(half_widths(joined))


def test_unplayed_version_rated_near_the_one_before():
    rest = [
        duel(one, other, wins, 0, 2 - wins, 15)
        for one, other in ((1, 2), (2, 3), (1, 3))
        for wins in (1, 2)
    ]

    found = fit.fit(rest, families=[(1, 4), (3, 5), (8, 2), (9,)])
    played = fit.fit([*rest, duel(4, 2, 0, 0, 2, 10)], families=[(1, 4), (3, 5)])

    estimates = found.estimates
    assert sorted(estimates) == [1, 2, 3, 4, 5]
    assert estimates[4].value == pytest.approx(estimates[1].value, abs=1)
    assert estimates[5].value == pytest.approx(estimates[3].value, abs=1)
    assert estimates[4].high - estimates[4].low > estimates[1].high - estimates[1].low + 200
    assert found.games[1] == 120
    assert 4 not in found.games
    assert found.rank_ranges([1, 4]) == {1: (1, 2), 4: (1, 2)}
    assert played.estimates[4].value < played.estimates[1].value - 200


def test_rank_range_ends_where_others_surely_differ():
    results = [duel(one, one + 1, 15, 0, 5, 10) for one in range(6)]

    fitted = fit.fit(results)

    ranges = fitted.rank_ranges(range(7))
    assert ranges[0][0] == 1
    assert ranges[6][1] == 7
    assert all(best <= bot + 1 <= worst for bot, (best, worst) in ranges.items())
    assert ranges[0][1] < ranges[6][0]
    assert ranges[2][0] < ranges[3][1]
    assert fitted.rank_ranges([6, 5]) == {6: (1, 2), 5: (1, 2)}
    assert fitted.rank_ranges([77]) == {}


def test_never_won_not_ranked_with_nearly_always_won():
    """The lower end of who never won is far away, and says nothing of how strong it may be."""
    results = [duel(1, 2, 1, 0, 1), duel(1, 2, 2, 0, 0), duel(2, 3, 2, 0, 0, 2)]
    fitted = fit.fit([*results, duel(1, 3, 2, 0, 0, 2)])

    assert fitted.estimates[1].low > fitted.estimates[3].high
    assert fitted.rank_ranges([1, 2, 3]) == {1: (1, 2), 2: (1, 2), 3: (3, 3)}


@pytest.mark.parametrize("deviation", [2.0, 9.0, 20.0, 40.0, 300.0])
@pytest.mark.parametrize("mean", [0.0, 13.0, -1200.5])
def test_moments_and_quantiles_of_beliefs_are_right(mean, deviation):
    log = -(((beliefs.POINTS - mean) / deviation) ** 2)[None] / 2

    found = beliefs.moments(log)

    assert found.mean[0] == pytest.approx(mean, abs=0.05 * deviation)
    assert math.sqrt(found.variance[0]) == pytest.approx(deviation, rel=0.05)
    high = beliefs.quantiles(log, found, 0.975, fit.DEVIATIONS)[0]
    assert high == pytest.approx(mean + fit.DEVIATIONS * deviation, abs=0.1 * deviation)
