"""An entrant that stays locked: PostgreSQL ends the wait for a lock, and a runner waits again."""

import pytest
from django.db import connection

from arena.domain import finishing
from arena.models import Match, MatchStatus
from arena.runner import outages
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.usefixtures("short_games_in_processes")
def test_match_with_locked_entrants_keeps_lease_and_finishes(monkeypatch):
    ladder = factories.get_ladder("general")
    versions = [factories.make_ready_with(variants=["general"]) for _ in range(2)]
    match = factories.make_match(*versions, ladder=ladder)
    other = connection.copy()
    leased_until = []
    finish = finishing.finish

    def finish_with_the_lock_held_twice(*, lease):
        leased_until.append(str(Match.objects.get(pk=lease.pk).lease_until))
        if len(leased_until) > 2:
            other.rollback()
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '100ms'")
        return finish(lease=lease)

    monkeypatch.setattr(finishing, "finish", finish_with_the_lock_held_twice)
    monkeypatch.setattr(outages, "PAUSE_S", 0.01)
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute(
            "SELECT 1 FROM arena_entrant WHERE ladder_id = %s FOR NO KEY UPDATE", [ladder.pk]
        )
    try:
        finished = factories.play_match(match_pk=match.pk)
    finally:
        other.close()

    match.refresh_from_db()
    assert (finished, match.status, match.attempt) == (True, MatchStatus.FINISHED, 1)
    assert leased_until == sorted(set(leased_until))
    assert len(leased_until) == 3
