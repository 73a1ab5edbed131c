"""The queue is as long as the free slots of the fleet need, and many are filled at once."""

from collections import Counter
from datetime import timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.domain.queue import fleet, matchmaking, pool
from arena.domain.queue.fleet import Slots
from arena.models import Entrant, Ladder, Match, MatchEntrant, MatchStatus, RunnerFigures
from tests import factories

pytestmark = pytest.mark.django_db

SLOTS = 8
AHEAD = 4  # matches that end within four seconds, where one takes ten: 3.2


def crowd(number):
    return [factories.make_ready(variants=["classic"]) for _ in range(number)]


def bots_of(matches):
    rows = MatchEntrant.objects.filter(match__in=matches)
    return Counter(rows.values_list("version__bot", flat=True))


def test_slots_that_can_take_a_job_are_counted():
    factories.report_slots(1)
    for _ in range(2):
        factories.claim(factories.make_match())
    assert fleet.slots() == Slots(live=1, free=0)

    factories.report_slots(7, runner="other@host")
    factories.report_slots(50, runner="dead@host", at=timezone.now() - timedelta(minutes=1))
    factories.report_slots(70, runner="hurt@host", in_trouble=True)
    factories.claim(factories.make_upload())

    assert fleet.slots() == Slots(live=8, free=5)


def test_as_many_matches_wait_as_slots_take():
    crowd(3 * SLOTS)
    factories.report_slots(SLOTS)

    made = matchmaking.fill(random=Random(1))

    assert len(made) == SLOTS + AHEAD
    assert set(bots_of(made).values()) <= {1, 2}


def test_ladders_on_which_bots_play_share_the_slots():
    for _ in range(2 * SLOTS):
        factories.make_ready()
    factories.report_slots(2 * SLOTS)

    made = matchmaking.fill(random=Random(1))

    assert Counter(match.ladder.slug for match in made) == dict.fromkeys(
        factories.DUELS, SLOTS + AHEAD
    )


def test_long_queue_refilled_when_half_is_left():
    crowd(3 * SLOTS)
    factories.report_slots(SLOTS)
    waiting = matchmaking.fill(random=Random(1))
    half = (SLOTS + AHEAD) // 2

    Match.objects.filter(pk__in=[match.pk for match in waiting[half:]]).update(
        status=MatchStatus.CANCELLED
    )
    assert matchmaking.fill(random=Random(1)) == []
    Match.objects.filter(pk=waiting[0].pk).update(status=MatchStatus.CANCELLED)

    assert len(matchmaking.fill(random=Random(1))) == SLOTS + AHEAD - half + 1


def test_many_matches_made_with_statements_of_few(settings):
    def statements(slots, made):
        RunnerFigures.objects.update_or_create(
            runner="runner@host",
            defaults={
                "slots": slots,
                "busy": 0,
                "clock_skew_s": 0.0,
                "reported_at": timezone.now(),
            },
        )
        Match.objects.update(status=MatchStatus.CANCELLED)
        with CaptureQueriesContext(connection) as queries:
            assert len(matchmaking.fill(random=Random(1))) == made
        return len(queries)

    crowd(3 * SLOTS)
    statements(1, settings.QUEUED_MATCHES_PER_LADDER)

    few = statements(1, settings.QUEUED_MATCHES_PER_LADDER)
    assert statements(SLOTS, SLOTS + AHEAD) == few


def test_transaction_makes_limited_matches_and_next_continues(monkeypatch):
    monkeypatch.setattr(matchmaking, "MOST", 5)
    sent = []
    monkeypatch.setattr("arena.jobs.enqueue", lambda task, *_row: sent.append(task))
    crowd(3 * SLOTS)
    factories.report_slots(SLOTS)

    first = matchmaking.fill(random=Random(1))
    asked_to_go_on = Counter(sent)["arena.matchmake"]
    second = matchmaking.fill(random=Random(1))
    third = matchmaking.fill(random=Random(1))  # more than half of them wait now

    assert (len(first), asked_to_go_on) == (5, 1)
    assert (len(second), Counter(sent)["arena.matchmake"]) == (5, 2)
    assert third == []


def test_noted_state_equals_rows_afterwards(monkeypatch):
    """Half of the bots have met, so groups, meetings and open matches all change."""
    everybody = crowd(10)
    for one, other in zip(everybody[:4:2], everybody[1:4:2], strict=True):
        factories.play_out(factories.make_match(one, other), [1.0, 0.0])
    pools = []

    def read_once(*given, **named):
        pools.append(pool.Pool(*given, **named))
        return pools[-1]

    monkeypatch.setattr(matchmaking, "Pool", read_once)

    made = matchmaking.fill_ladder(ladder=factories.get_ladder(), random=Random(1))

    (noted,) = pools
    ladder = factories.get_ladder()
    read = pool.Pool(ladder, 2, slow=(), deferred=(), free_slots=0)
    assert len(made) == 4
    assert state(noted) == state(read)
    assert noted.ladder.matches_made == ladder.matches_made


def state(found):
    parts: dict[int, set[int]] = {}
    for bot, group in found._groups.items():
        parts.setdefault(group, set()).add(bot)
    return (
        {bot: each.busy for bot, each in found.entrants.items()},
        [key[-1] for key in found._by_need],
        {two: times for two, times in found._met.items() if times},
        sorted(map(sorted, parts.values())),
    )


def test_large_ladder_looks_only_at_matchable_bots(monkeypatch, settings):
    """The first four get their two matches; then they hide nobody."""
    monkeypatch.setattr(pool, "CANDIDATES", 4)
    crowd(14)
    factories.report_slots(20)

    made = matchmaking.fill(random=Random(1))

    assert set(bots_of(made).values()) == {settings.OPEN_MATCHES_PER_BOT}
    assert len(bots_of(made)) == 14


def test_two_bots_meet_for_each_idle_slot(monkeypatch):
    """All would rather meet one whom nobody knows, and who has all its matches already."""
    star, *others = crowd(7)
    Ladder.objects.update(matches_made=1000)
    Entrant.objects.exclude(version=star).update(rating=1500, rating_low=1499, rating_high=1501)
    for other in others[:2]:
        factories.claim(factories.make_match(star, other))
    Entrant.objects.update(waits_since=timezone.now() + timedelta(minutes=1))
    factories.make_match(
        *(factories.make_ready(variants=["general"]) for _ in range(2)),
        ladder=factories.get_ladder("general"),  # something waits
    )

    assert matchmaking.fill_ladder(ladder=factories.get_ladder(), random=Random(1)) == []
    made = matchmaking.fill_ladder(ladder=factories.get_ladder(), free_slots=3, random=Random(1))

    assert len(made) == 2  # and one for the slot that takes what waits
    assert bots_of(made) == dict.fromkeys([each.bot_id for each in others[2:]], 1)
