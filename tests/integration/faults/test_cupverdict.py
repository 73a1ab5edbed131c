"""The verdict over a tournament finds each thing that it looks for, one at a time."""

import pytest
from django.db import transaction
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


def complaints(cup):
    return " | ".join(cupverdict.complaints(cup))


def another_result(_cup):
    game = Game.objects.filter(match__pairing__isnull=False, number=1).order_by("pk")[0]
    Game.objects.filter(pk=game.pk).update(outcome={"red": 0.0, "blue": 0.0})


def leg_missing(_cup):
    Pairing.objects.filter(round__number=1, number=1).update(matches_wanted=2)


def leg_finished_twice(_cup):
    match = Match.objects.filter(pairing__isnull=False).order_by("pk")[0]
    match.rerun_of_id, match.pk, match.public_id = match.pk, None, "m_again"
    match._state.adding = True
    match.save()


def second_bye(_cup):
    first = Pairing.objects.get(round__number=1, decision="bye")
    second = Pairing.objects.get(round__number=2, decision="bye")
    same = PairingEntrant.objects.get(pairing=first).entrant
    PairingEntrant.objects.filter(pairing=second).update(entrant=same)


def round_not_over(cup):
    TournamentRound.objects.create(tournament=cup, number=3, release=cup.release)


def round_twice_in_the_log(cup):
    log.write(tournament=cup, action="round_drawn", round_number=2)


FAULTS = {
    another_result: ("games differ: [(1, 1, 1, 1)]", "standings differ"),
    leg_missing: ("has legs [1] for [1, 2]", "extra_matches 0 times and not 1"),
    leg_finished_twice: (", 1) was finished 2 times",),
    second_bye: (",) 2 times", "is 2 times in round 2"),
    round_not_over: ("rounds [3] are not over", "round_drawn 2 times and not 3"),
    round_twice_in_the_log: ("round_drawn 3 times and not 2",),
}


def test_only_disturbed_tournament_has_complaints_naming_each_fault():
    cup = play(SWISS)
    assert complaints(cup) == ""

    for fault, said in FAULTS.items():
        with transaction.atomic():
            fault(cup)
            assert [each for each in said if each not in complaints(cup)] == []
            transaction.set_rollback(True)


def test_changed_advancing_from_level_meeting_is_complained_of():
    cup = play(BRACKET, 73)

    kept = Pairing.objects.filter(advancing_position__isnull=False)
    assert [pairing.slot for pairing in kept] == ["G2.1"]
    assert complaints(cup) == ""

    kept.update(advancing_position=1 - F("advancing_position"))

    assert "pairings differ: [(5, 1)]" in complaints(cup)
    assert "standings differ" in complaints(cup)


def test_one_that_never_ends_is_found():
    cup = cups.enter(SWISS, 7)

    assert "the tournament is running" in complaints(cup)
