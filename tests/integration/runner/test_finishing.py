"""The end of a match: its result is stored and rated once, and a late one is ignored."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from arena.domain import finishing
from arena.models import Match, RatingEvent
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.every_store]


def test_match_finished_in_few_statements_without_ladder():
    match = factories.make_match()
    lease = factories.claim(match)
    for game in match.games.all():
        factories.store(lease, game, 1.0)

    with CaptureQueriesContext(connection) as captured:
        finishing.finish(lease=lease)

    statements = [query["sql"] for query in captured]
    assert len(statements) <= 10
    assert statements[-1].startswith("RELEASE SAVEPOINT")  # the commit, outside of tests
    assert not [sql for sql in statements if "arena_ladder" in sql and "UPDATE" in sql]


def test_the_loser_of_a_lease_stores_no_points():
    match = factories.make_match()
    lease = factories.claim(match)
    for game in match.games.all():
        factories.store(lease, game, 1.0)
    Match.objects.filter(pk=match.pk).update(lease_token="another runner's")

    assert finishing.finish(lease=lease) is False

    assert set(match.entrants.values_list("points", flat=True)) == {None}
    assert not RatingEvent.objects.exists()
