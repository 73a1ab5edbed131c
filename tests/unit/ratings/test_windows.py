"""Messages in windows of the grid, and results as columns: the same ratings as without them."""

import numpy as np
import pytest

from arena.domain.ratings import beliefs, fit, windows
from arena.domain.ratings.fit import GameCounts, MatchCounts
from tests.world.ladders import drawn_duels

NEAR = 0.01  # Elo: what `rerate --check` takes for equal


@pytest.fixture
def duels(monkeypatch):
    """A small ladder, in which each bot has played as often as in a busy one of many bots."""
    monkeypatch.setattr(windows, "WORTH", 1)
    return drawn_duels(60, matches=40)


@pytest.fixture
def whole(monkeypatch):
    """Return a function that calls another one without windows and tables."""

    def compute(what, *arguments, **named):
        with monkeypatch.context() as patch:
            patch.setattr(windows, "WIDTHS", (windows.WHOLE,))
            patch.setattr(windows, "WORTH", np.inf)
            return what(*arguments, **named)

    return compute


def numbers(fitted):
    return np.array([fitted.estimates[player] for player in sorted(fitted.estimates)])


def listed(duels):
    return [
        MatchCounts((GameCounts((own,), (other,), *counts),), times)
        for own, other, *counts, times in duels.tolist()
    ]


def test_windows_and_tables_match_whole_grid_ratings(duels, whole):
    """Some bots have a second version: what is known of one is passed to the other."""
    families = [(bot, bot + 1) for bot in range(0, 40, 2)] + [(50, 1000), (51, 1001)]
    newcomer = duels[:3].copy()
    newcomer["own"] = 999
    duels = np.concatenate([duels, newcomer])

    near, exact = fit.fit(duels, families=families), whole(fit.fit, duels, families=families)

    assert np.abs(numbers(near) - numbers(exact)).max() < NEAR
    assert near.games == exact.games


def test_tables_serve_sides_of_several(whole, monkeypatch):
    results = [
        MatchCounts((GameCounts((one,), (2 + one % 3, 7), 2, 0, one % 2),), 1 + one % 3)
        for one in range(8, 40)
    ]
    exact = whole(fit.fit, results)
    monkeypatch.setattr(windows, "WORTH", 0)

    near = fit.fit(results)

    assert np.abs(numbers(near) - numbers(exact)).max() < NEAR


def test_results_may_be_columns_or_a_list(duels):
    columns, rows = fit.fit(duels), fit.fit(reversed(listed(duels)))

    assert columns.estimates == rows.estimates
    assert columns.games == rows.games


def asked(*, peak, mean, deviation):
    """Return a player expected at `peak`, whose games say `mean`, with a window there."""
    width = windows.WIDTHS[0]
    first = windows.first_points(np.array([mean]), width)
    own = np.maximum(-(((beliefs.POINTS - peak) / 60.0) ** 2) / 2, -30.0)
    points = beliefs.POINTS[first[0] :][:width]
    said = -(((points - mean) / deviation) ** 2) / 2
    return windows.Asked(own[None], np.array([2]), first, width), np.stack([said, said / 2])


@pytest.mark.parametrize(
    ("peak", "deviation", "more"),
    [(0.0, 50.0, []), (0.0, 90.0, [0]), (1500.0, 50.0, [0])],
    ids=["narrow", "wide", "expected elsewhere"],
)
def test_window_that_may_cut_belief_becomes_wider(peak, deviation, more):
    """The second one is cut by its end; the third could have a second peak outside."""
    asks, said = asked(peak=peak, mean=0.0, deviation=deviation)

    together, _moments, cut = asks.answer(said)

    assert cut.tolist() == more
    inside = slice(asks.first[0], asks.first[0] + asks.width)
    assert together[0, inside] == pytest.approx(said.sum(axis=0))
    assert together[0].argmax() == beliefs.HALF
    assert np.all(np.diff(together[0], 2) < 1e-9)


def test_belief_at_grid_end_has_nothing_outside():
    asks, said = asked(peak=-3000.0, mean=-3000.0, deviation=50.0)

    _together, moments, cut = asks.answer(said)

    assert asks.first.tolist() == [0]
    assert cut.tolist() == []
    assert moments.mean == pytest.approx(-3000.0, abs=60)
