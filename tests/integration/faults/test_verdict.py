"""The verdict finds each thing that it looks for, one at a time."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from arena.models import Game, Ladder, Match, MatchStatus, RatingEvent
from tests import factories
from tests.faults import verdict

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    """Return a finished match of two versions that are ready, in a site that is at rest."""
    made = factories.make_match()
    factories.play_out(made, [1.0, 0.0])
    made.refresh_from_db()
    return made


def execute(statement, *values):
    """Do to the rows what the models would not."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def test_site_at_rest_has_no_complaints(match):
    found = verdict.tally()

    assert (found.finished, found.defects) == (1, {})
    assert list(verdict.unfinished()) == []
    assert verdict.swept() == 0


def test_an_event_that_is_missing_is_counted(match):
    execute("DELETE FROM arena_ratingevent WHERE id = %s", match.rating_events.all()[0].pk)

    assert verdict.tally().defects == {"missing": 1}


def test_an_event_too_many_is_counted(match):
    event = RatingEvent.objects.filter(match=match)[0]
    event.pk, event.version = None, factories.make_ready()
    RatingEvent.objects.bulk_create([event])

    assert verdict.tally().defects == {"doubled": 1}


def test_a_finish_number_that_nobody_has_is_counted(match):
    Ladder.objects.filter(pk=match.ladder_id).update(next_finish_number=3)

    assert verdict.tally().defects == {"misnumbered": 1}


def test_a_sound_bot_that_is_blamed_is_counted(match):
    Game.objects.filter(match=match, number=1).update(fault="red")

    assert verdict.tally().defects == {"blamed": 1}


def test_match_nobody_gives_back_is_unfinished_and_sweepable(match):
    other = factories.make_match()
    factories.claim(other)
    Match.objects.filter(pk=other.pk).update(lease_until=timezone.now() - timedelta(seconds=1))

    assert verdict.tally().defects == {"unfinished": 1, "abandoned": 1}
    assert verdict.swept() > 0


def test_match_ended_without_reason_is_unfinished(match):
    other = factories.make_match()
    Match.objects.filter(pk=other.pk).update(status=MatchStatus.CANCELLED)

    assert verdict.tally().defects == {"unfinished": 1}


def test_a_finished_game_without_its_record_is_unfinished(match):
    match.games.get(number=2).record.delete()

    assert verdict.tally().defects == {"unfinished": 1}
