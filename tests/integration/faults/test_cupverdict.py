"""The verdict over a tournament finds each thing that it looks for, one at a time."""

import pytest
from django.db.models import F

from arena.domain.tournaments import log, snapshot
from arena.domain.tournaments.rounds import directing
from arena.models import Game, Match, Pairing, PairingEntrant, TournamentRound
from tests import factories
from tests.faults import cups, cupverdict
from tests.faults.cups import Plan
from tests.integration.tournaments import rows

pytestmark = pytest.mark.django_db

SWISS = Plan("swiss", 5, {"rounds": 2})
BRACKET = Plan("double_elimination", 4)
MOST_STEPS = 40


def play(plan, seed=7):
    """Play a tournament on rows alone, with the outcomes that its games have."""
    cup = cups.enter(plan, seed)
    outcomes = cupverdict.undisturbed(snapshot.load(tournament=cup)).outcomes
    for _ in range(MOST_STEPS):
        directing.advance_all()
        for match in rows.open_matches(cup):
            place = (match.pairing.round.number, match.pairing.number, match.leg)
            games = [dict(outcomes[*place, number]) for number in (1, 2)]
            factories.finish_with(match, *((outcome, "") for outcome in games))
    cup.refresh_from_db()
    return cup


@pytest.fixture
def cup():
    return play(SWISS)


def complaints(cup):
    return " | ".join(cupverdict.complaints(cup))


@pytest.mark.parametrize("plan", [SWISS, BRACKET], ids=["swiss", "double_elimination"])
def test_a_tournament_undisturbed_has_nothing_to_complain_of(plan):
    assert complaints(play(plan)) == ""


@pytest.mark.parametrize(("seed", "level"), [(5, "W1.1"), (73, "G2.1")])
def test_who_goes_on_from_a_meeting_that_stays_level_is_as_it_would_have_been(seed, level):
    cup = play(BRACKET, seed)

    kept = Pairing.objects.filter(advancing_position__isnull=False)
    assert [pairing.slot for pairing in kept] == [level]
    assert complaints(cup) == ""


def test_somebody_else_who_goes_on_is_found():
    cup = play(BRACKET, 73)
    Pairing.objects.filter(slot="G2.1").update(advancing_position=1 - F("advancing_position"))

    assert "pairings differ: [(5, 1)]" in complaints(cup)
    assert "standings differ" in complaints(cup)


def test_another_result_is_found(cup):
    game = Game.objects.filter(match__pairing__isnull=False, number=1).order_by("pk")[0]
    Game.objects.filter(pk=game.pk).update(outcome={"red": 0.0, "blue": 0.0})

    assert "games differ: [(1, 1, 1, 1)]" in complaints(cup)
    assert "standings differ" in complaints(cup)


def test_a_leg_that_is_missing_is_found(cup):
    Pairing.objects.filter(round__number=1, number=1).update(matches_wanted=2)

    assert "has legs [1] for [1, 2]" in complaints(cup)
    assert "extra_matches 0 times and not 1" in complaints(cup)


def test_a_leg_that_was_finished_twice_is_found(cup):
    match = Match.objects.filter(pairing__isnull=False).order_by("pk")[0]
    match.rerun_of_id, match.pk, match.public_id = match.pk, None, "m_again"
    match._state.adding = True
    match.save()

    assert f"leg ({match.pairing_id}, 1) was finished 2 times" in complaints(cup)


def test_a_second_meeting_and_a_second_bye_are_found(cup):
    first = Pairing.objects.get(round__number=1, decision="bye")
    second = Pairing.objects.get(round__number=2, decision="bye")
    same = PairingEntrant.objects.get(pairing=first).entrant
    PairingEntrant.objects.filter(pairing=second).update(entrant=same)

    assert f"({same.pk},) 2 times" in complaints(cup)
    assert "is 2 times in round 2" in complaints(cup)


def test_a_round_that_is_not_over_or_not_in_the_log_is_found(cup):
    TournamentRound.objects.create(tournament=cup, number=3, release=cup.release)

    assert "rounds [3] are not over" in complaints(cup)
    assert "round_drawn 2 times and not 3" in complaints(cup)


def test_a_round_that_is_twice_in_the_log_is_found(cup):
    log.write(tournament=cup, action="round_drawn", round_number=2)

    assert "round_drawn 3 times and not 2" in complaints(cup)


def test_one_that_never_ends_is_found():
    cup = cups.enter(SWISS, 7)

    assert "the tournament is running" in complaints(cup)
