"""How many runners live, from the jobs that they held."""

from datetime import timedelta

import pytest
from django.conf import settings

from arena.domain.bots import versions
from arena.domain.matches import leases, lifecycle
from arena.domain.queue import fleet
from arena.models import Match, MatchKind, MatchStatus
from tests import factories

pytestmark = pytest.mark.django_db


def held(number):
    """Let runners take so many matches; return their leases."""
    return [factories.claim(factories.make_match()) for _ in range(number)]


def let_go(*taken):
    for lease in taken:
        assert leases.leave(lease=lease, status="created")


def test_jobs_in_work_are_runners_longest_held_first(clock):
    assert fleet.look(waited_s=0.0) == fleet.Fleet(1, [], None)  # where nothing ever was
    (first,) = held(1)
    clock.move(5)
    upload = factories.make_upload()
    assert versions.claim(version_pk=upload.pk)

    seen = fleet.look(waited_s=0.0)

    assert (seen.runners, seen.last_sign) == (2, clock.now)
    assert seen.in_work == [Match.objects.get(pk=first.pk), upload]


def test_resting_runners_that_recently_worked_at_once_count(clock):
    taken = held(3)
    clock.move(30)
    let_go(*taken)
    (again,) = held(1)
    clock.move(30)
    let_go(again)
    clock.move(500)

    assert fleet.look(waited_s=0.0).runners == 3
    clock.move(100)
    assert fleet.look(waited_s=0.0).runners == 1


def test_runner_doing_jobs_one_after_other_is_one(clock):
    for _ in range(4):
        (lease,) = held(1)
        clock.move(10)
        let_go(lease)

    assert fleet.look(waited_s=0.0).runners == 1


def test_while_something_waits_only_recent_taker_lives(clock):
    let_go(*held(3))
    taken = held(3)
    clock.move(20)
    let_go(*taken[1:])  # two runners of three end here
    clock.move(65)
    leases.renew(lease=taken[0])

    assert fleet.look(waited_s=0.0).runners == 3
    assert fleet.look(waited_s=65.0).runners == 1


def test_no_runner_lives_while_nobody_takes_waiting_job(clock):
    let_go(*held(2))
    last = clock.now
    clock.move(61)

    seen = fleet.look(waited_s=61.0)

    assert (seen.runners, seen.last_sign) == (0, last)


def test_lease_that_ran_out_counts_to_last_renewal(clock):
    (lease,) = held(1)
    clock.move(10)
    leases.renew(lease=lease)
    renewed = clock.now
    clock.move(settings.LEASE_S + 1)

    seen = fleet.look(waited_s=settings.LEASE_S + 1.0)

    assert (seen.runners, seen.last_sign) == (0, renewed)
    assert len(seen.in_work) == 1


def test_longest_wait_is_of_oldest_due(clock):
    assert fleet.longest_wait_s() == 0.0
    first = factories.make_match()
    clock.move(30)
    second = factories.make_match()
    clock.move(5)
    assert fleet.longest_wait_s() == 35.0

    lease = factories.claim(first)
    assert fleet.longest_wait_s() == 5.0
    lifecycle.void_attempt(lease=lease, reason="The engine is away.")  # for 10 s
    assert fleet.longest_wait_s() == 5.0
    clock.move(12)
    assert fleet.longest_wait_s() == 17.0
    factories.claim(second)
    assert fleet.longest_wait_s() == 2.0


def test_waiting_for_same_owner_version_needs_no_runner(clock):
    owner = factories.make_user()
    first, _second = (factories.make_upload(factories.make_bot(owner)) for _ in range(2))
    assert versions.claim(version_pk=first.pk)
    clock.move(30)

    assert fleet.longest_wait_s() == 0.0
    factories.make_upload()
    clock.move(10)
    assert fleet.longest_wait_s() == 10.0


def played(clock, *seconds, ladder="classic", kind=MatchKind.CHALLENGE):
    """Have challenges that took so long, one after the other up to now."""
    ended = clock.after(-sum(seconds))
    for took_s in seconds:
        began, ended = ended, ended + timedelta(seconds=took_s)
        Match.objects.create(
            ladder=factories.get_ladder(ladder),
            kind=kind,
            status=MatchStatus.FINISHED,
            taken_at=began,
            left_at=ended,
            finished_at=ended,
        )


def test_durations_are_of_latest_fifty_of_kind(clock):
    played(clock, *range(1, 61))
    ladder = factories.get_ladder().pk

    found = fleet.durations().of((ladder, MatchKind.CHALLENGE))

    assert list(found) == [float(seconds) for seconds in range(60, 10, -1)]


def test_kind_without_durations_takes_ladder_all_or_guess(clock):
    assert fleet.durations().of((1, MatchKind.LADDER)) == [fleet.DEFAULT_S]
    played(clock, 30)
    played(clock, 8, ladder="general")
    found = fleet.durations()

    assert found.of((factories.get_ladder().pk, MatchKind.LADDER)) == [30.0]
    assert sorted(found.of((-1, MatchKind.LADDER))) == [8.0, 30.0]
    assert found.of((None, fleet.VERSION)) == [fleet.DEFAULT_S]


def test_checks_count_when_ended_however_it_was(clock):
    for ready in (True, False):
        upload = factories.make_upload()
        lease = factories.claim(upload)
        clock.move(12)
        if ready:
            assert versions.accept(lease=lease)
        else:
            assert versions.postpone(lease=lease, reason="The engine is away.")

    assert fleet.durations().of((None, fleet.VERSION)) == [12.0]
