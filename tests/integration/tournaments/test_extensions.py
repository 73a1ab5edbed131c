"""More rounds, more matches, more time."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.domain.tournaments import stages
from arena.domain.tournaments.interventions.extensions import AddMatches, AddRounds, Postpone
from tests.integration.tournaments import making, playing

pytestmark = pytest.mark.django_db


def test_a_swiss_system_is_played_for_longer():
    cup = playing.begin(bots=8, format="swiss", format_options={"rounds": 1}, release="hidden")
    cup = playing.play_round(cup)
    assert cup.status == "completed"

    entry = playing.act(cup, AddRounds(1))
    cup = playing.go_on(cup)

    assert (cup.status, cup.rounds.count(), entry.details["rounds"]) == ("running", 2, 2)
    cup = playing.play_round(cup)
    assert cup.status == "completed"


def test_rounds_that_cannot_be_are_refused(settings):
    cup = playing.begin(bots=8, format="swiss", format_options={"rounds": 1})

    for more, code in ((0, "wrong_number"), (-1, "wrong_number"), (50, "swiss_too_many_rounds")):
        assert playing.refused(cup, AddRounds(more)) == code
    settings.TOURNAMENT_MAX_GAMES = 10
    assert playing.refused(cup, AddRounds(1)) == "too_many_games"


def test_matches_added_only_within_limit_of_games(cup, settings):
    first, second = playing.pairings_of(cup)
    assert playing.refused(cup, AddRounds(1)) == "rounds_follow"
    settings.TOURNAMENT_MAX_GAMES = 12 + 4  # six pairings of two games, and two matches more

    playing.act(cup, AddMatches(first.public_id, 2))

    assert playing.refused(cup, AddMatches(first.public_id, 1)) == "too_many_games"
    assert playing.refused(cup, AddMatches(second.public_id, 1)) == "too_many_games"
    second.refresh_from_db()
    assert second.matches_wanted == 1


def test_a_pairing_is_played_in_more_matches(cup):
    match = playing.finish(playing.matches_of(cup)[0], *playing.LEVEL)

    playing.act(cup, AddMatches(match.pairing.public_id, 2))
    cup = playing.go_on(cup)

    legs = [row for row in playing.matches_of(cup) if row.pairing == match.pairing]
    assert [(row.leg, row.status) for row in legs] == [
        (1, "finished"), (2, "queued"), (3, "queued"),
    ]  # fmt: skip
    assert len({row.secret for row in legs}) == 3
    assert playing.score(cup, playing.sides(match.pairing)[0]) == 0  # it is open again
    cup = playing.play_round(cup, *playing.WON)
    assert playing.score(cup, playing.sides(match.pairing)[0]) == 5
    assert playing.refused(cup, AddMatches(match.pairing.public_id, 0)) == "wrong_number"
    assert playing.refused(cup, AddMatches(match.pairing.public_id, 1000)) == "wrong_number"


def test_start_is_postponed_never_brought_forward():
    now = timezone.now()
    soon, later = now + timedelta(hours=1), now + timedelta(days=1)
    cup = making.make_open(freezes_at=soon, starts_at=soon)

    entry = playing.act(cup, Postpone(freezes_at=later, starts_at=later))

    cup.refresh_from_db()
    assert (cup.freezes_at, cup.starts_at) == (later, later)
    assert entry.details["starts_at"] == later.isoformat()
    assert playing.refused(cup, Postpone(starts_at=soon)) == "not_later"
    assert playing.refused(cup, Postpone(starts_at=now - timedelta(hours=1))) == "in_the_past"
    assert playing.refused(cup, Postpone()) == "nothing_changes"
    assert playing.refused(cup, Postpone(freezes_at=later + timedelta(days=1))) == "wrong_order"
    making.enter(cup)
    making.enter(cup)
    stages.freeze(tournament=cup, by=None)
    assert playing.refused(cup, Postpone(freezes_at=later + timedelta(days=1))) == "frozen_already"
