"""The queue says of everything in it where it is and why it waits."""

import pytest

from arena.domain import finishing
from arena.domain.bots import versions
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.queue import queue_places
from arena.domain.queue.queue_places import WaitsFor
from arena.models import Match, MatchKind, Version
from tests import factories

pytestmark = pytest.mark.django_db

OPERATOR = factories.operator()  # who sees the bots of rated matches that wait


@pytest.fixture
def bots(clock):
    """Return six versions of six owners, on the ladders of two variants."""
    return [factories.make_ready() for _ in range(6)]


def queue_match(*of, kind=MatchKind.LADDER, ladder="classic"):
    return lifecycle.create_match(
        ladder=factories.get_ladder(ladder), versions=of, purpose=Purpose(kind)
    )


def play(match, clock, seconds):
    """Let a runner take so long for the match."""
    lease = factories.claim(match)
    clock.move(seconds)
    for game in match.games.order_by("number"):
        factories.store(lease, game, 1.0)
    assert finishing.finish(lease=lease)


def place_of(row):
    """Return the place of what must have one."""
    place = queue_places.place_of(row=row, viewer=OPERATOR)
    assert place is not None
    return place


def shown(**asked):
    return [
        (place.row, place.position, place.waits_for)
        for place in queue_places.queue(viewer=OPERATOR, **asked).places
    ]


def test_work_comes_first_and_waiting_has_a_position(clock, bots):
    first, second, third = (queue_match(*bots[n : n + 2]) for n in (0, 2, 4))
    factories.claim(first)
    clock.move(5)

    assert shown() == [
        (first, None, WaitsFor.NOTHING),
        (second, 1, WaitsFor.RUNNER),
        (third, 2, WaitsFor.RUNNER),
    ]
    found = queue_places.queue(viewer=OPERATOR)
    assert [place.reason for place in found.places] == [
        "A runner is working on it.",
        "Waits for a free runner. It is next.",
        "Waits for a free runner. 1 job is before it.",
    ]
    assert [place.since for place in found.places] == [clock.after(-5)] * 3
    assert (found.in_work, found.waiting, found.runners) == (1, 2, 1)


def test_match_put_off_says_when_and_why(clock, bots):
    first, second = queue_match(*bots[:2]), queue_match(*bots[2:4])
    lease = factories.claim(first)
    lifecycle.void_attempt(lease=lease, reason="The engine is away.")

    assert shown() == [(second, 1, WaitsFor.RUNNER), (first, 2, WaitsFor.RETRY)]
    place = place_of(first)
    assert place.reason == "It is retried in 10 s: The engine is away."

    clock.move(11)
    place = place_of(first)
    assert place.reason == "Waits for a free runner. It is next. The engine is away."


def test_versions_of_one_owner_wait_for_each_other(clock):
    owner = factories.make_user()
    first, second, third = (factories.make_upload(factories.make_bot(owner)) for _ in range(3))
    other = factories.make_upload()

    assert shown() == [
        (first, 1, WaitsFor.RUNNER),
        (second, 2, WaitsFor.TURN),
        (third, 3, WaitsFor.TURN),
        (other, 4, WaitsFor.RUNNER),
    ]
    versions.claim(version_pk=first.pk)
    elsewhere = factories.make_upload()
    versions.claim(version_pk=elsewhere.pk)
    clock.move(5)

    assert shown() == [
        (first, None, WaitsFor.NOTHING),
        (elsewhere, None, WaitsFor.NOTHING),
        (second, 1, WaitsFor.TURN),
        (third, 2, WaitsFor.TURN),
        (other, 3, WaitsFor.RUNNER),
    ]
    assert place_of(second).reason == "Another version of its owner is checked first."


def test_match_of_playing_bot_says_so(clock, bots):
    queue_match(*bots[:2])
    factories.claim(Match.objects.get())
    second = queue_match(*bots[1:3])

    place = place_of(second)

    assert place.waits_for == WaitsFor.TURN
    assert place.reason.startswith("One of its bots is playing another match")


def test_where_no_runner_shows_itself_it_is_said(clock, bots):
    play(queue_match(*bots[:2]), clock, 10)
    waiting = queue_match(*bots[:2])
    clock.move(180)

    assert shown() == [(waiting, 1, WaitsFor.FLEET)]
    assert place_of(waiting).reason == "No runner has taken a job for 3 min."
    assert queue_places.queue(viewer=OPERATOR).runners == 0


def test_site_that_never_had_a_runner_says_so(clock, bots):
    Version.objects.update(taken_at=None, left_at=None)
    waiting = queue_match(*bots[:2])
    clock.move(61)

    assert place_of(waiting).reason == "No runner has taken a job yet."


def test_user_sees_own_rows_with_place_among_all(clock, bots):
    rows = [queue_match(*bots[n : n + 2], kind=MatchKind.CHALLENGE) for n in (0, 2, 4)]
    upload = factories.make_upload(bots[4].bot)
    of = bots[4].bot.owner

    own = queue_places.queue(viewer=of, of=of)
    everything = {
        place.row: place.position or 0 for place in queue_places.queue(viewer=OPERATOR).places
    }

    assert {place.row for place in own.places} == {rows[2], upload}
    assert [place.position for place in own.places] == sorted(
        everything[row] for row in (rows[2], upload)
    )
    assert (own.shown_of, own.waiting) == (2, 4)


def test_row_neither_waiting_nor_working_has_no_place(clock, bots):
    match = queue_match(*bots[:2])
    play(match, clock, 3)
    match.refresh_from_db()

    assert queue_places.place_of(row=match, viewer=OPERATOR) is None
    assert queue_places.place_of(row=bots[0], viewer=OPERATOR) is None


def test_pace_is_time_of_latest_twenty_match_starts(clock, bots):
    for began in range(queue_places.LATEST):
        assert queue_places.queue(viewer=OPERATOR).latest_began_s is None, began
        play(queue_match(*bots[:2]), clock, 3)
    clock.move(5)
    assert queue_places.queue(viewer=OPERATOR).latest_began_s == 3 * queue_places.LATEST + 5

    play(queue_match(*bots[:2]), clock, 3)

    assert queue_places.queue(viewer=OPERATOR).latest_began_s == 3 * queue_places.LATEST + 5
