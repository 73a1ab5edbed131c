"""The end of a match: its result is stored and rated once, and a late one is ignored."""

import pytest

from arena.models import Entrant, RatingEvent
from arena.runner import finishing
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
    assert Entrant.objects.get(ladder=match.ladder, bot=winner.bot).elo == 1520
    assert "late_result_ignored" in caplog.messages
