"""How long a tournament will take: against a simulation, and what it says where nobody knows."""

from datetime import timedelta
from random import Random
from statistics import fmean

import pytest
from django.utils import timezone

from arena.domain.tournaments.setup import durations
from arena.models import Match, MatchKind, MatchStatus
from tests import factories
from tests.integration.tournaments import making


def simulated_s(rounds, runners, draw):
    """Play a tournament second by second, as naively as one can."""
    now_s = 0.0
    for matches in rounds:
        waiting = matches
        working: list[float] = []
        while waiting or working:
            while waiting and len(working) < runners:
                working.append(now_s + draw())
                waiting -= 1
            now_s = min(working)
            working.remove(now_s)
    return now_s


def measured(rng, number):
    return [rng.lognormvariate(2.0, 0.6) for _ in range(number)]


@pytest.mark.parametrize(
    ("rounds", "runners"),
    [([28] * 7, 1), ([32, 16, 8, 4, 2, 1], 4), ([1, 1, 1], 8)],
)
def test_the_estimate_is_that_of_a_simulation(rounds, runners):
    rng = Random(7)
    times_s = measured(rng, 2000)

    likely_s, slow_s = durations.spread(
        rounds=rounds, times_s=times_s, runners=runners, slow=0.9, rng=rng
    )

    totals = sorted(simulated_s(rounds, runners, lambda: rng.choice(times_s)) for _ in range(1000))
    assert likely_s == pytest.approx(fmean(totals), rel=0.05)
    assert slow_s == pytest.approx(totals[900], rel=0.08)


def test_round_ends_with_last_match_on_free_runner():
    assert durations.round_s([3.0, 1.0, 1.0, 1.0], runners=2) == 3.0
    assert durations.round_s([1.0, 1.0, 3.0], runners=2) == 4.0
    assert durations.round_s([], runners=2) == 0.0
    spread = durations.spread(rounds=[], times_s=[5.0], runners=1, slow=0.9, rng=Random(1))
    assert spread == (0.0, 0.0)


def played(clock, *seconds, runners=1):
    """Have matches that took so long and ended just now, on so many runners at once."""
    for took_s in seconds:
        for _ in range(runners):
            Match.objects.create(
                ladder=factories.get_ladder(),
                kind=MatchKind.LADDER,
                status=MatchStatus.FINISHED,
                taken_at=clock.now - timedelta(seconds=took_s),
                left_at=clock.now,
                finished_at=clock.now,
                finish_number=Match.objects.count() + 1,
            )


@pytest.mark.django_db
def test_draft_estimated_from_matches_of_its_ladder(clock):
    played(clock, 10.0, runners=2)
    draft = making.make_draft(matches_per_pairing=3)

    estimate = durations.estimate(tournament=draft, entrants=4)  # 3 rounds of 6 matches

    assert estimate == durations.DurationEstimate(90.0, 90.0, 18, 36, 2, measured=True)
    assert estimate.note == (
        "This assumes 2 runners that play nothing else. Matches of ladders and of other "
        "tournaments make it longer."
    )
    assert durations.estimate(tournament=draft).games == 28 * 6  # of as many as may enter


@pytest.mark.django_db
def test_estimate_is_of_entrants_or_fewest_needed():
    tournament = making.make_open(min_entrants=3)
    making.enter(tournament)
    assert durations.estimate(tournament=tournament).matches == 3

    making.enter_many(tournament, 3)

    assert durations.estimate(tournament=tournament).matches == 6


@pytest.mark.django_db
def test_estimate_without_timed_match_says_it_guesses():
    estimate = durations.estimate(tournament=making.make_draft(), entrants=2)

    assert (estimate.likely_s, estimate.slow_s, estimate.measured) == (20.0, 20.0, False)
    assert "A rehearsal measures it." in estimate.note


@pytest.mark.django_db
def test_without_runner_no_time_and_says_so(clock):
    played(clock, 10.0)
    clock.move(600)
    factories.make_match()
    clock.move(90)  # it waits, and nobody takes it

    estimate = durations.estimate(tournament=making.make_draft(), entrants=4)

    assert estimate == durations.DurationEstimate(None, None, 6, 12, 0, measured=True)
    assert estimate.note == (
        "No runner is working, so no match would be played. The operator of this site has to start "
        "one."
    )


@pytest.mark.django_db
def test_the_same_question_has_the_same_answer(clock):
    played(clock, 3.0, 10.0, 40.0)
    draft = making.make_draft()

    first, second = (durations.estimate(tournament=draft, entrants=8) for _ in range(2))

    assert first == second
    assert first.likely_s is not None
    assert first.slow_s is not None
    assert first.likely_s < first.slow_s
    assert timezone.now() == clock.now
