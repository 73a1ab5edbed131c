"""The end of a match: its result is stored and rated once, and a late one is ignored."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from arena.domain import finishing
from arena.models import Entrant, Ladder, Match, RatingEvent
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.every_store]


def test_a_late_result_is_ignored_and_logged(caplog):
    winner, loser = factories.make_ready(), factories.make_ready()
    match = factories.make_match(winner, loser)
    lease = factories.claim(match)
    for game in match.games.all():
        factories.store(lease, game, 1.0)

    assert finishing.finish(lease=lease) is True
    assert finishing.finish(lease=lease) is False

    assert RatingEvent.objects.count() == 2
    assert Entrant.objects.get(ladder=match.ladder, bot=winner.bot).online_elo == 1520
    assert "late_result_ignored" in caplog.messages


def test_a_match_is_finished_in_few_statements_and_fewer_hold_up_the_ladder():
    match = factories.make_match()
    lease = factories.claim(match)
    for game in match.games.all():
        factories.store(lease, game, 1.0)

    with CaptureQueriesContext(connection) as captured:
        finishing.finish(lease=lease)

    statements = [query["sql"] for query in captured]
    locked = next(at for at, sql in enumerate(statements) if "UPDATE arena_ladder" in sql)
    assert len(statements) <= 12
    assert statements[-1].startswith("RELEASE SAVEPOINT")  # the commit, outside of tests
    assert len(statements[locked + 1 : -1]) <= 4


def test_the_loser_of_a_lease_stores_no_points_and_takes_no_finish_number():
    match = factories.make_match()
    lease = factories.claim(match)
    for game in match.games.all():
        factories.store(lease, game, 1.0)
    Match.objects.filter(pk=match.pk).update(lease_token="another runner's")

    assert finishing.finish(lease=lease) is False

    assert set(match.entrants.values_list("points", flat=True)) == {None}
    assert Ladder.objects.get(pk=match.ladder_id).next_finish_number == 1
