"""The batch fit, against independent programs and against truths."""

import math
import warnings

import choix
import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.domain.ratings import covariance, davidson, fit
from arena.domain.ratings.fit import ELO_PER_NAT, Estimate, Fit, GameCounts, MatchCounts, Priors
from tests.integration.ratings import coverage

FLAT = Priors(strength_sd=1e7, draw_sd=1e5, dispersion=1.0, modes=True)  # maximum likelihood


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


def values(fitted: Fit):
    return np.array([fitted.estimates[player].value for player in sorted(fitted.estimates)])


def deviations(fitted: Fit):
    spans = [fitted.estimates[player] for player in sorted(fitted.estimates)]
    return np.array([(span.high - span.low) / 2 / fit.HALF_WIDTH for span in spans])


def test_without_draws_and_priors_strengths_are_those_of_choix():
    results = random_results(players=7, matches=200, draws=0.0, rng_seed=5)
    beaten = [
        pair
        for (meeting,), _times in results
        for pair in [
            *[(meeting.own[0], meeting.others[0])] * meeting.wins,
            *[(meeting.others[0], meeting.own[0])] * meeting.losses,
        ]
    ]

    fitted = fit.fit(results, priors=FLAT)

    theirs = choix.opt_pairwise(7, beaten, alpha=0.0, tol=1e-10)
    assert values(fitted) == pytest.approx(1500 + ELO_PER_NAT * (theirs - theirs.mean()), abs=0.01)
    assert fitted.draw == 0.0


def log_linear(results, players):
    """Return strengths, log(nu) and their covariance by the Poisson regression of statsmodels.

    Of each two that met, the three counts are Poisson with means exp(size + d / 2), exp(size +
    log(nu)) and exp(size - d / 2); player 0 has strength 0.
    """
    counts: dict[tuple[int, ...], np.ndarray] = {}
    for (meeting,), _times in results:
        pair = meeting.own[0], meeting.others[0]
        seen = counts.setdefault(tuple(sorted(pair)), np.zeros(3))
        told = np.array([meeting.wins, meeting.draws, meeting.losses])
        seen += told if pair[0] < pair[1] else told[::-1]
    pairs = sorted(counts)
    design, observed = [], []
    for number, (one, other) in enumerate(pairs):
        for kind, sign in enumerate((0.5, 0.0, -0.5)):
            row = np.zeros(players + 1 + len(pairs))
            row[one], row[other] = sign, -sign
            row[players] = kind == 1
            row[players + 1 + number] = 1
            design.append(row[1:])
            observed.append(counts[one, other][kind])
    answer = sm.GLM(observed, np.array(design), family=sm.families.Poisson()).fit(tol=1e-12)
    return answer.params[:players], answer.cov_params()[:players, :players]


def test_strengths_draws_and_standard_errors_are_those_of_the_log_linear_form_in_statsmodels():
    players = 6
    results = random_results(players=players, matches=300, draws=0.7, rng_seed=8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its imports and of pairs that never drew
        params, theirs = log_linear(results, players)

    fitted = fit.fit(results, priors=FLAT)

    nu = math.exp(params[-1])
    strengths = np.append(0.0, params[:-1])
    scale = 2 / (2 + nu) * ELO_PER_NAT
    assert fitted.draw == pytest.approx(nu, rel=1e-4)
    assert values(fitted) == pytest.approx(1500 + scale * (strengths - strengths.mean()), abs=0.02)
    # By the delta method: the values are a function of the parameters.
    centred = np.eye(players) - 1 / players
    slopes = np.column_stack(
        [scale * centred[:, 1:], -scale * nu / (2 + nu) * (strengths - strengths.mean())]
    )
    errors = np.sqrt(np.diagonal(slopes @ theirs @ slopes.T))
    assert deviations(fitted) == pytest.approx(errors, rel=1e-3)


def test_a_gap_foretells_beside_equals_what_the_elo_formula_does():
    """Half of the games of equals are drawn; who gets 52 % of the points is 14 Elo better."""
    counts = GameCounts((1,), (2,), 27_000, 50_000, 23_000)

    fitted = fit.fit([MatchCounts((counts,))], priors=FLAT)

    gap = fitted.estimates[1].value - fitted.estimates[2].value
    assert gap == pytest.approx(400 * math.log10(0.52 / 0.48), rel=0.005)


def exact_gap(*, wins, prior_sd):
    """Return the mean and the mode of what one who won all is ahead in Elo, over a fine grid."""
    sd = math.sqrt(2) * prior_sd / ELO_PER_NAT
    gaps = np.linspace(-10 * sd, 10 * sd, 100_001)
    log = -((gaps / sd) ** 2) / 2 - wins * np.logaddexp(0, -gaps)
    weights = np.exp(log - log.max())
    return ELO_PER_NAT * (weights @ gaps) / weights.sum(), ELO_PER_NAT * gaps[log.argmax()]


def test_an_estimate_is_the_mean_of_what_is_likely_and_the_likeliest_value_where_asked():
    won_both = [MatchCounts((GameCounts((1,), (2,), 2, 0, 0),))]
    mean, mode = exact_gap(wins=2, prior_sd=300)
    assert mean - mode > 70

    for modes, expected in ((False, mean), (True, mode)):
        priors = Priors(strength_sd=300, dispersion=1.0, modes=modes)
        first, second = values(fit.fit(won_both, priors=priors))
        assert first - second == pytest.approx(expected, abs=5)


def test_dispersion_finds_matches_that_are_alike_and_matches_that_cancel():
    alike = [MatchCounts((GameCounts((1,), (2,), wins, 0, 2 - wins),), 500) for wins in (0, 2)]
    cancelling = [MatchCounts((GameCounts((1,), (2,), 1, 0, 1),), 1000)]
    lone = [
        MatchCounts((GameCounts((1,), (2,), wins, 0, 2 - wins),), 250 * (1 + wins % 2))
        for wins in (0, 1, 2)
    ]

    found = [fit.fit(results).dispersion for results in (alike, lone, cancelling)]

    assert found == [
        pytest.approx(2, abs=0.02),
        pytest.approx(1, abs=0.01),
        pytest.approx(0, abs=0.02),
    ]


def test_a_game_of_sides_moves_the_mean_of_each():
    together = MatchCounts((GameCounts((1,), (2, 3), 2, 1, 0),), 10)

    fitted = fit.fit([together])

    first, second, third = (fitted.estimates[player] for player in (1, 2, 3))
    assert first.value > 1500 > second.value == pytest.approx(third.value)
    assert first.value - 1500 == pytest.approx(2 * (1500 - second.value))
    assert third.high - third.low > first.high - first.low  # nobody knows which of the two it was


@pytest.mark.parametrize(
    ("results", "order"),
    [
        ([], []),
        ([MatchCounts((GameCounts((1,), (2,), 2, 0, 0),), 40)], [1, 2]),
        ([MatchCounts((GameCounts((1,), (2,), 0, 2, 0),), 40)], [1, 2]),
        ([MatchCounts((GameCounts((1,), (2,), 1, 0, 0),))], [1, 2]),
        (
            [
                MatchCounts((GameCounts((1,), (2,), 2, 0, 0),), 5),
                MatchCounts((GameCounts((8,), (9,), 1, 1, 0),), 5),
            ],
            [1, 8, 9, 2],
        ),
    ],
    ids=["nothing", "only wins", "only draws", "one game", "two that never met two others"],
)
def test_there_is_an_answer_whatever_was_played(results, order):
    estimates = fit.fit(results).estimates

    assert sorted(estimates, key=lambda player: (-estimates[player].value, player)) == order
    assert all(-5000 < each.low <= each.value <= each.high < 8000 for each in estimates.values())


def test_bots_that_never_met_are_far_less_sure_of_each_other_than_of_whom_they_met():
    met = MatchCounts((GameCounts((1,), (2,), 1, 0, 1),), 200)
    apart = MatchCounts((GameCounts((8,), (9,), 1, 0, 1),), 200)
    bridge = MatchCounts((GameCounts((1,), (8,), 1, 0, 1),), 200)

    alone, joined = fit.fit([met, apart]), fit.fit([met, apart, bridge])

    assert min(deviations(alone)) > 4 * max(deviations(joined))


def test_a_new_version_is_taken_for_about_as_strong_as_the_one_before_until_it_has_played():
    rest = [
        MatchCounts((GameCounts((one,), (other,), wins, 0, 2 - wins),), 15)
        for one, other in ((1, 2), (2, 3), (1, 3))
        for wins in (1, 2)
    ]
    new = MatchCounts((GameCounts((4,), (2,), 1, 0, 1),))

    of_the_best = fit.fit([*rest, new], families=[(1, 4)]).estimates
    of_the_worst = fit.fit([*rest, new], families=[(3, 4), (2,)]).estimates

    assert of_the_best[4].value > of_the_worst[4].value + 50
    assert of_the_worst[4].value < of_the_best[1].value


def test_estimates_are_centred_on_those_that_are_asked_for():
    results = random_results(players=5, matches=60, draws=0.5, rng_seed=2)

    fitted = fit.fit(results, centre_on={1, 3})

    assert fitted.estimates[1].value + fitted.estimates[3].value == pytest.approx(3000)


def test_equal_matches_may_be_counted_or_listed():
    listed = random_results(players=3, matches=80, draws=0.5, rng_seed=4)
    counted = [MatchCounts(result.meetings, listed.count(result)) for result in set(listed)]

    one, other = fit.fit(listed), fit.fit(counted)

    assert values(one) == pytest.approx(values(other))
    assert deviations(one) == pytest.approx(deviations(other))


def test_above_the_size_of_dense_matrices_the_answer_is_nearly_the_same(monkeypatch):
    results = random_results(players=60, matches=900, draws=0.5, rng_seed=6)
    dense = fit.fit(results)

    monkeypatch.setattr(covariance, "DENSE_UP_TO", 10)
    sparse = fit.fit(results)

    assert values(sparse) == pytest.approx(values(dense), abs=2)
    assert deviations(sparse) == pytest.approx(deviations(dense), rel=0.25)
    assert deviations(sparse).mean() == pytest.approx(deviations(dense).mean(), rel=0.03)


@pytest.mark.timeout(600)
@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.integers(6, 9), st.integers(0, 2)), min_size=1, max_size=30
    )
)
@settings(max_examples=10)
def test_who_is_called_what_or_stands_on_which_side_changes_nothing(played):
    results = [MatchCounts((GameCounts((a,), (b,), wins, 0, 2 - wins),)) for a, b, wins in played]
    turned = [MatchCounts((GameCounts((-b,), (-a,), 2 - wins, 0, wins),)) for a, b, wins in played]

    one, other = fit.fit(results).estimates, fit.fit(turned).estimates

    for player, estimate in one.items():
        assert estimate == pytest.approx(other[-player], abs=0.1)


def test_the_gradient_and_the_information_are_derivatives_of_the_likelihood():
    evidence = davidson.gather(random_results(players=3, matches=30, draws=0.6, rng_seed=1))
    blur = np.full(evidence.design.shape[0], 0.3)

    def at(point):
        return davidson.Strengths(point[:-1], float(point[-1]), blur)

    point, step = np.array([0.3, -0.2, 0.1, -0.4]), 1e-5
    score = davidson.score(evidence, at(point))
    information = davidson.information(evidence, at(point)).toarray()
    for number, unit in enumerate(np.eye(4) * step):
        higher, lower = (davidson.log_likelihood(evidence, at(point + by)) for by in (unit, -unit))
        assert score[number] == pytest.approx((higher - lower) / (2 * step), rel=1e-5)
        change = davidson.score(evidence, at(point + unit)) - davidson.score(
            evidence, at(point - unit)
        )
        assert -change / (2 * step) == pytest.approx(information[number], abs=1e-5)


def test_a_band_goes_down_as_far_as_intervals_overlap_that_of_its_first():
    spans = {1: (1700, 40), 2: (1650, 30), 3: (1610, 60), 4: (1600, 30), 5: (1500, 80)}
    estimates = {
        player: Estimate(value, value - margin, value + margin)
        for player, (value, margin) in spans.items()
    }

    assert fit.tie_bands(estimates) == {1: 1, 2: 1, 3: 1, 4: 2, 5: 2}
    assert fit.tie_bands({}) == {}


def test_nineteen_of_twenty_truths_are_inside_the_intervals():
    """A tenth of the ladders; the soak plays all of them many times."""
    measured = coverage.measure(repeats=1, rng_seed=7, every=10)
    inside = [one for _kind, found in measured for one in found]

    assert len(inside) > 400
    assert np.mean(inside) == pytest.approx(coverage.WANTED, abs=0.02)
