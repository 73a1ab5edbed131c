"""Matches of tournaments among all that waits: fair shares, pauses, and what staff does to them."""

import pytest
from django.utils import timezone

from arena import jobs
from arena.domain.bots import bots
from arena.domain.errors import Refused
from arena.domain.fairplay import corrections
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.queue import dispatch, fleet, queue_places, sweeping
from arena.domain.tournaments import stages, unfinished_matches
from arena.domain.tournaments.rounds import directing
from arena.models import (
    Match,
    MatchKind,
    MatchStatus,
    Pairing,
)
from tests import factories
from tests.integration.tournaments import making, playing, rows

pytestmark = pytest.mark.django_db


def running(entrants=2, **columns):
    """Return a tournament whose first round is drawn."""
    cup = rows.make_tournament(entrants, **columns)
    directing.advance(tournament_pk=cup.pk)
    return cup


def claimed():
    lease = dispatch.claim_next()
    return lease and Match.objects.get(pk=lease.pk)


def test_every_tournament_has_turn_despite_large_one():
    running(12)
    small = running(2)
    ladder = factories.make_match()

    first = [claimed() for _ in range(3)]

    assert {*rows.open_matches(small), ladder} < set(first)


def test_what_very_many_wait_for_hides_no_tournament(monkeypatch):
    monkeypatch.setattr(dispatch, "LOOK", 2)
    running(12)
    small = running(2)

    assert rows.open_matches(small)[0] in [claimed() for _ in range(2)]


def test_paused_tournament_begins_nothing_but_plays_on():
    cup = running(4)
    begun = claimed()
    stages.pause(tournament=cup, by=cup.created_by, reason="a storm")

    assert claimed() is None
    (waiting,) = (match for match in rows.open_matches(cup) if match != begun)
    assert lifecycle.claim(match_pk=waiting.pk) is None  # by a runner that looked before
    begun.refresh_from_db()
    assert begun.status == MatchStatus.LEASED

    stages.resume(tournament=cup, by=cup.created_by)
    assert claimed() in rows.open_matches(cup)


def test_paused_match_is_neither_queued_nor_alarming():
    cup = running()
    stages.pause(tournament=cup, by=cup.created_by, reason="a storm")
    (match,) = rows.open_matches(cup)

    assert queue_places.queue(viewer=None).waiting == 0
    assert queue_places.place_of(row=match, viewer=None) is None
    assert fleet.longest_wait_s() == 0.0

    stages.resume(tournament=cup, by=cup.created_by)
    assert queue_places.queue(viewer=None).waiting == 1


def test_paused_bot_plays_on_in_tournaments():
    cup = running(2)
    entrant = cup.entrants.get(seed=1)
    challenge = lifecycle.create_match(
        ladder=factories.get_ladder(),
        versions=[entrant.version, factories.make_ready()],
        purpose=Purpose(MatchKind.CHALLENGE),
    )

    bots.pause(bot=entrant.bot)

    challenge.refresh_from_db()
    assert challenge.status == MatchStatus.CANCELLED
    assert [match.status for match in rows.open_matches(cup)] == [MatchStatus.QUEUED]


@pytest.mark.parametrize("columns", [{"decision": "award", "award": 0}, {}])
def test_decided_or_over_is_not_played_again(columns):
    cup = running(2)
    (match,) = rows.open_matches(cup)
    if columns:
        Pairing.objects.filter(pk=match.pairing_id).update(**columns)
        lifecycle.cancel(match=match, reason="awarded")
    else:
        stages.cancel(tournament=cup, by=cup.created_by, reason="a storm")

    with pytest.raises(Refused, match="no longer needs this match"):
        lifecycle.rerun(match=match)
    assert rows.open_matches(cup) == []


def test_staff_cannot_cancel_match_tournament_waits_for():
    cup = running(2)
    (match,) = rows.open_matches(cup)

    with pytest.raises(Refused, match="Award its pairing in the console"):
        corrections.cancel(match=match, by=cup.created_by, reason="why not")
    assert [each.pk for each in rows.open_matches(cup)] == [match.pk]


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
