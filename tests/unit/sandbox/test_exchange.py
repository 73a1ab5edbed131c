"""One loop for every seat: who is heard, who is waited for, and who is held up by nobody."""

import threading

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
