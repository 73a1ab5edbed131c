"""Hosts that are short of CPU: a bot that works is not late there, and one that sleeps is."""

import pytest

from sandbox import limits
from sandbox.levels.isolation import choose
from tests.sandbox.starving import outcome

pytestmark = pytest.mark.docker

ANSWERS, LATE, VOID = "answers", "timeout", "void"


@pytest.mark.parametrize("host", ["throttled", "frozen"])
@pytest.mark.parametrize(
    ("bot", "expected"),
    [("one thread", ANSWERS), ("a child", ANSWERS), ("sleeps", LATE), ("stops itself", LATE)],
)
@pytest.mark.kept("sleeps-*-throttled", "one thread-*-frozen", "a child-*-throttled")
def test_only_the_bot_that_sleeps_is_late(host, bot, expected, tmp_path):
    assert outcome(choose("docker"), tmp_path, host=host, bot=bot) == expected


@pytest.mark.alone
@pytest.mark.parametrize(("bot", "expected"), [("one thread", ANSWERS), ("sleeps", LATE)])
def test_only_sleeping_bot_is_late_beside_busy_programs(bot, expected, tmp_path):
    assert outcome(choose("docker"), tmp_path, host="crowded", bot=bot) == expected


@pytest.mark.parametrize(
    ("host", "limit", "value"),
    [("throttled", "STARVED_MAX_MS", 1000.0), ("frozen", "WAITS_S", 1.0)],
)
def test_game_on_too_slow_host_is_void(host, limit, value, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, limit, value)
    assert outcome(choose("docker"), tmp_path, host=host, bot="one thread") == VOID
