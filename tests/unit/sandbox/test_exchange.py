"""One loop for every seat: who is heard, who is waited for, and who is held up by nobody."""

import threading
from pathlib import Path

import pytest

from engine.protocol import Ask, Fault
from sandbox import limits
from sandbox.wire.channel import Channel
from sandbox.wire.exchange import Exchange
from sandbox.wire.program import Exit
from tests.sandbox.piped import answer, fault, piped


@pytest.fixture
def bot():
    with piped() as program:
        yield program


@pytest.fixture
def other():
    with piped() as program:
        yield program


def says_soon(program, text):
    """Let a bot write once the table waits for it."""
    threading.Timer(0.05, program.say, [text]).start()


def test_output_between_answer_and_next_request_is_foul(bot):
    exchange = Exchange({"red": (channel := Channel(bot, use_cpu_clock=False))}, lambda: None)
    says_soon(bot, b"one\n")
    exchange.ask({"red": Ask(b"first\n", 5000.0)})
    assert answer(channel.outcome).line == b"one"
    bot.say(b"two\n")
    exchange.ask({"red": Ask(b"second\n", 5000.0)})

    said = "wrote to stdout before it was asked"
    assert fault(channel.outcome) == (Fault.PROTOCOL_ERROR, said)
    assert bot.heard() == b"first\n"


def test_unasked_seat_is_watched_too(bot, other):
    """Its log is read and its fouls are seen while another thinks."""
    seats = {"red": Channel(bot, use_cpu_clock=False), "blue": Channel(other, use_cpu_clock=False)}
    exchange = Exchange(seats, lambda: None)
    other.log(b"thinking aloud")
    other.say(b"me!\n")
    bot.log(b"hm")
    exchange.ask({"red": Ask(b"ask\n", 50.0)})

    assert fault(seats["red"].outcome)[0] == Fault.TIMEOUT
    assert (bytes(seats["blue"].log.head), other.killed) == (b"thinking aloud", True)


def test_slow_end_holds_up_nobody_else(bot, other, monkeypatch):
    """The first bot has ended for good only when the other one has been heard."""
    monkeypatch.setattr(limits, "EXIT_WAIT_MS", 600_000)
    monkeypatch.setattr(limits, "WAIT_STEP_S", 0.05)
    seats = {"red": Channel(bot, use_cpu_clock=False), "blue": Channel(other, use_cpu_clock=False)}

    def end_after_the_other():
        if seats["blue"].outcome is not None:
            bot.ended = Exit(3)

    exchange = Exchange(seats, end_after_the_other)
    bot.hang_up("says")
    says_soon(other, b"yes\n")
    ask = Ask(b"ask\n", 60_000.0)
    exchange.ask({"red": ask, "blue": ask})

    assert fault(seats["red"].outcome)[0] == Fault.CRASH
    assert answer(seats["blue"].outcome).line == b"yes"


def test_end_that_never_comes_is_awaited_until_limit(bot, monkeypatch):
    monkeypatch.setattr(limits, "EXIT_WAIT_MS", 100)
    channel = Channel(bot, use_cpu_clock=False)
    bot.hang_up("says")
    Exchange({"red": channel}, lambda: None).ask({"red": Ask(b"ask\n", 5000.0)})

    assert fault(channel.outcome)[1] == "closed its stdout before it was ready"


def test_silent_bots_leak_no_descriptor(bot, other):
    before = len(list(Path("/proc/self/fd").iterdir()))
    seats = {"red": Channel(bot, use_cpu_clock=False), "blue": Channel(other, use_cpu_clock=False)}
    exchange = Exchange(seats, lambda: None)
    exchange.ask({"red": Ask(b"x" * 200_000 + b"\n", 60.0), "blue": Ask(b"ask\n", 90.0)})

    assert [fault(seat.outcome)[0] for seat in seats.values()] == [Fault.TIMEOUT, Fault.TIMEOUT]
    assert len(list(Path("/proc/self/fd").iterdir())) == before
