"""A tournament that is held begins no match; when it goes on every runner hears of it."""

import pytest
from django.utils import timezone

from arena import jobs
from arena.domain.matches import lifecycle
from arena.domain.queue import sweeping
from arena.domain.tournaments import stages, unfinished_matches
from arena.models import Match
from tests.integration.tournaments import making, playing

pytestmark = pytest.mark.django_db


def test_runner_that_looked_before_pause_begins_no_match():
    cup = playing.begin()
    match = playing.matches_of(cup)[0]
    stages.pause(tournament=cup, by=None, reason="x")

    assert lifecycle.claim(match_pk=match.pk) is None

    assert playing.statuses(match) == ["queued"]
    stages.resume(tournament=cup, by=None)
    assert lifecycle.claim(match_pk=match.pk) is not None


def test_sweep_after_pause_wakes_runner_per_waiting_match(monkeypatch):
    cup = playing.begin(bots=6)
    begun, *waiting = playing.matches_of(cup)
    assert lifecycle.claim(match_pk=begun.pk)
    stages.pause(tournament=cup, by=None, reason="x")
    Match.objects.update(sent_at=timezone.now())  # lately, so that the sweep would wait a minute
    called: list[str] = []
    monkeypatch.setattr(jobs, "send", called.append)
    sweeping.sweep()
    assert called == []

    stages.resume(tournament=cup, by=None)
    sweeping.sweep()

    assert called == [jobs.WAKE_RUNNER] * len(waiting)


def test_matches_are_ended_in_row_order(monkeypatch):
    cup = making.fresh(playing.begin(bots=6))
    wanted = sorted(match.pk for match in playing.matches_of(cup))
    ended = []
    cancel = lifecycle.cancel

    def note(*, match, reason):
        ended.append(match.pk)
        return cancel(match=match, reason=reason)

    monkeypatch.setattr(lifecycle, "cancel", note)

    assert unfinished_matches.cancel(tournament=cup, reason="x") == 3
    assert ended == wanted
