"""The clock of a host against that of the database."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from arena.domain.queue import host_clock
from arena.domain.queue.host_clock import ClockIsOff
from arena.runner import preflight
from tests import factories
from tests.clocks import Clock

pytestmark = [pytest.mark.django_db, pytest.mark.every_store]


@pytest.fixture
def clock_is_off(monkeypatch):
    """Return a function that moves the clock of this process from the one of the database.

    Otherwise both stand, so that no query takes any time.
    """
    clock = Clock(monkeypatch)

    def move(ahead_s):
        monkeypatch.setattr(timezone, "now", lambda: clock.after(ahead_s))

    return move


def test_agreeing_clock_is_hardly_off():
    factories.get_ladder()

    assert abs(host_clock.skew_s()) < host_clock.MOST_SKEW_S
    host_clock.check()


@pytest.mark.parametrize(("ahead_s", "said"), [(600, "600 s ahead of"), (-180, "180 s behind")])
def test_a_clock_that_is_off_is_named(clock_is_off, ahead_s, said):
    factories.get_ladder()
    clock_is_off(ahead_s)

    assert host_clock.skew_s() == ahead_s
    with pytest.raises(ClockIsOff, match=said):
        host_clock.check()


def test_slow_query_not_taken_for_wrong_clock(monkeypatch):
    factories.get_ladder()
    now = timezone.now
    calls = iter([timedelta(seconds=-30), timedelta(seconds=30)])
    monkeypatch.setattr(timezone, "now", lambda: now() + next(calls))

    assert host_clock.skew_s() == 0.0


def test_runner_takes_no_job_until_clock_right(clock_is_off, monkeypatch):
    factories.get_ladder()
    monkeypatch.setattr(preflight, "wait_until_passed", lambda: None)
    monkeypatch.setattr(preflight, "_report_level", lambda: None)
    waits = []

    def mend(pause_s):
        waits.append(pause_s)
        clock_is_off(0)

    monkeypatch.setattr(time, "sleep", mend)
    clock_is_off(600)

    preflight.wait_for_a_job()

    assert waits == [preflight.RETRY_EVERY_S]
