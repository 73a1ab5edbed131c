"""The alarm of a queue that is too slow."""

import logging

import pytest

from arena.domain.queue import alarms, health
from arena.models import QueueAlarm
from tests import factories
from tests.clocks import Clock

pytestmark = pytest.mark.django_db

LIMIT_S = 600


@pytest.fixture
def clock(monkeypatch, settings):
    settings.QUEUE_ALARM_S = LIMIT_S
    return Clock(monkeypatch)


@pytest.fixture
def said(caplog):
    """Return what the log says of alarms, as level and words."""
    caplog.set_level(logging.INFO, logger="arena")
    return lambda: [
        (record.levelname, record.getMessage())
        for record in caplog.records
        if record.getMessage().startswith("queue_alarm")
    ]


BEGAN, OVER = ("ERROR", "queue_alarm"), ("INFO", "queue_alarm_over")


def test_alarm_lasts_while_oldest_has_waited_too_long(clock):
    assert alarms.present() is None
    match = factories.make_match()
    clock.move(LIMIT_S)
    assert alarms.present() is None
    assert checks()["queue"] == (True, "no alarm")

    clock.move(1)
    assert alarms.present() == alarms.Alarm(oldest_s=601.0, limit_s=600.0)
    assert checks()["queue"] == (False, "the oldest job has waited 601 s")
    assert (health.ready().ok, health.ready().status) == (True, "degraded")

    factories.claim(match)
    assert alarms.present() is None


def test_alarm_is_logged_once_at_begin_and_over(clock, said):
    match = factories.make_match()
    alarms.watch()
    assert said() == []

    clock.move(LIMIT_S + 1)
    for _ in range(3):
        alarms.watch()
        clock.move(15)
    assert said() == [BEGAN]

    factories.claim(match)
    for _ in range(3):
        alarms.watch()
    assert said() == [BEGAN, OVER]
    over = QueueAlarm.objects.get()
    assert (over.goes_on, over.ended_at, over.began_at) == (False, clock.now, clock.after(-45))


def test_queue_at_edge_does_not_fill_log(clock, said):
    for _ in range(2):
        first = factories.make_match()
        clock.move(LIMIT_S * 0.6)
        factories.make_match()
        clock.move(LIMIT_S * 0.6)
        alarms.watch()  # the first is too old
        factories.claim(first)
        alarms.watch()  # the next is not, but nearly

    assert said() == [BEGAN]


def test_zero_limit_alarm_is_over_when_nothing_waits(clock, said, settings):
    settings.QUEUE_ALARM_S = 0
    match = factories.make_match()
    clock.move(1)
    alarms.watch()

    factories.claim(match)
    alarms.watch()

    assert said() == [BEGAN, OVER]


def test_two_that_watch_at_once_log_once(clock, said, monkeypatch):
    factories.make_match()
    clock.move(LIMIT_S + 1)
    alarms.watch()
    seen_before = QueueAlarm.objects.none()
    monkeypatch.setattr(QueueAlarm.objects, "filter", lambda **_: seen_before)

    assert alarms.watch() is None
    assert said() == [BEGAN]


def checks():
    return {check.name: (check.ok, check.detail) for check in health.ready().checks}
