"""Whose fault a late answer is: of the bot that sleeps, or of the host that does not let it run."""

import pytest

from engine.protocol import Ask, Fault
from sandbox import limits
from sandbox.wire.channel import Channel
from sandbox.wire.exchange import Exchange
from sandbox.wire.program import CpuWaits
from sandbox.wire.starvation import HostStarved
from tests.sandbox.piped import answer, fault, piped

NOW_S = 50.0
ALLOWANCE_MS = 100.0
DEADLINE_S = NOW_S + limits.wall_deadline_ms(ALLOWANCE_MS) / 1000


def report(by_task, cpu_ms=0.0, late_ms=0.0, at_s=1000.0):
    return CpuWaits(by_task, cpu_ms, at_s, late_ms)


NOTHING = report({7: 0.0}, at_s=0.0)


@pytest.fixture
def bot():
    with piped(cpu_ms=0.0) as program:
        yield program


@pytest.fixture
def channel(bot):
    """A bot with a CPU clock that was asked at NOW_S."""
    made = Channel(bot, use_cpu_clock=True)
    made.begin(Ask(b"ask\n", ALLOWANCE_MS), NOW_S)
    return made


@pytest.mark.parametrize(
    ("before", "now", "starved_ms"),
    [
        pytest.param({7: 5.0}, report({7: 5.0}, 10.0, 0.0), 0.0, id="it sleeps"),
        pytest.param({7: 5.0}, report({7: 905.0}, 110.0, 0.0), 800.0, id="it gets a tenth"),
        pytest.param({7: 0.0}, report({7: 500.0}, 1010.0, 0.0), 0.0, id="its own threads"),
        pytest.param({7: 900.0}, report({7: 900.0, 8: 300.0}, 10.0, 0.0), 300.0, id="a new task"),
        pytest.param({7: 900.0}, report({8: 300.0}, 10.0, 0.0), 300.0, id="one that has ended"),
        pytest.param({7: 0.0}, report({7: 0.0}, 10.0, 400.0), 400.0, id="a late report"),
        pytest.param({}, report({}, 10.0, 0.0), 0.0, id="a kernel that counts nothing"),
    ],
)
def test_starvation_is_waiting_not_explained_by_use(before, now, starved_ms):
    assert now.starved_ms(report(before, 10.0, at_s=0.0)) == starved_ms


def test_nobody_waits_longer_than_time_passed():
    """A task that was not in the report before has waited, but perhaps long ago."""
    assert report({8: 60_000.0}, at_s=12.0).starved_ms(report({7: 0.0}, at_s=10.0)) == 2000.0


def test_time_host_took_is_added_to_deadline(channel, bot):
    bot.waited = [NOTHING, report({7: 5000.0}, 50.0, 0.0)]
    channel.look(NOW_S + 0.1)
    channel.look(DEADLINE_S)
    assert channel.outcome is None
    bot.used_ms = 60.0
    bot.say(b"yes\n")
    channel.on_stdout(DEADLINE_S + 4.9)

    assert answer(channel.outcome).charged_ms == 60.0
    assert channel.evidence().wall_ms == pytest.approx((DEADLINE_S - NOW_S - 0.05) * 1000)


def test_a_bot_that_sleeps_after_that_is_late(channel, bot):
    starved = report({7: 5000.0}, 0.0, 0.0)
    bot.waited = [NOTHING, starved, starved]
    channel.look(NOW_S + 0.1)
    channel.look(DEADLINE_S)
    channel.look(DEADLINE_S + 4.9)
    assert channel.outcome is None
    channel.look(DEADLINE_S + 5.1)

    said = "gave no answer within 2400 ms of wall time"
    assert fault(channel.outcome) == (Fault.TIMEOUT, said)


def test_starvation_of_earlier_answer_not_counted_again(channel, bot):
    bot.waited = [NOTHING]
    channel.look(NOW_S + 0.1)
    bot.say(b"yes\n")
    channel.on_stdout(NOW_S + 0.2)
    starved_before = report({7: 5000.0}, 0.0, 0.0)
    bot.waited = [starved_before, starved_before]
    channel.begin(Ask(b"ask\n", ALLOWANCE_MS), NOW_S + 20)
    channel.look(NOW_S + 20.1)
    channel.look(DEADLINE_S + 20)

    assert fault(channel.outcome)[0] is Fault.TIMEOUT


def test_seat_time_host_took_is_no_forfeit(bot, monkeypatch):
    """Each answer came in time, so that nobody asked; together they took the time of the seat."""
    monkeypatch.setattr(limits, "SEAT_WALL_MS", 100.0)
    bot.waited = [NOTHING]
    channel = Channel(bot, use_cpu_clock=True)
    channel.begin(Ask(b"ask\n", ALLOWANCE_MS), NOW_S)
    bot.say(b"yes\n")
    channel.on_stdout(NOW_S + 0.09)
    channel.begin(Ask(b"ask\n", ALLOWANCE_MS), NOW_S + 1)
    bot.waited = [report({7: 10.0}), report({7: limits.STARVED_MAX_MS + 1})]

    with pytest.raises(HostStarved):
        channel.look(NOW_S + 1.02)


def test_game_starved_too_long_is_void(channel, bot):
    too_long = report({7: limits.STARVED_MAX_MS + 1}, 0.0, 0.0)
    bot.waited = [NOTHING, too_long]
    channel.look(NOW_S + 0.1)

    with pytest.raises(HostStarved, match=r"short of CPU time: a program .* had to wait for 60 s"):
        channel.look(DEADLINE_S)
    assert channel.outcome is None


class Stopped:
    """A poll object whose process stands still for a while when it waits for the bot."""

    def __init__(self, poll, stand_still):
        self.poll_of, self.stand_still = poll, stand_still

    def register(self, *given):
        self.poll_of.register(*given)

    def unregister(self, descriptor):
        self.poll_of.unregister(descriptor)

    def poll(self, wait_ms):
        if wait_ms > 0:
            self.stand_still()
        return self.poll_of.poll(0)


def test_stopped_runner_charges_no_bot(monkeypatch):
    """A runner that was stopped while it waited reads the answer late."""
    monkeypatch.setattr(limits, "WAIT_STEP_S", 0.2)
    now_s = NOW_S
    monkeypatch.setattr("sandbox.wire.exchange.monotonic", lambda: now_s)
    with piped() as bot:
        channel = Channel(bot, use_cpu_clock=False)
        exchange = Exchange({"red": channel}, lambda: None)

        def stand_still():
            nonlocal now_s
            now_s += 1.3
            bot.say(b"yes\n")

        monkeypatch.setattr(exchange, "_poll", Stopped(exchange._poll, stand_still))
        exchange.ask({"red": Ask(b"ask\n", 800.0)})
        assert answer(channel.outcome).charged_ms == pytest.approx(200.0)


def test_end_at_deadline_is_no_late_answer(channel, bot):
    bot.waited = [NOTHING]
    channel.look(NOW_S + 0.1)
    bot.end(status=3)
    channel.look(DEADLINE_S)

    assert fault(channel.outcome)[0] is Fault.CRASH
