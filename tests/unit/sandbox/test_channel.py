"""A line for a line: what ends a bot's seat, and what does not."""

import pytest

from engine.protocol import LINE_CAP_BYTES, Answer, Ask, Fault
from sandbox import limits
from sandbox.wire.channel import Channel
from tests.sandbox.piped import answer, fault, piped

NOW_S = 50.0
PIPE_BYTES = 65_536
FULL_LINE = b"x" * LINE_CAP_BYTES + b"\n"


@pytest.fixture
def bot():
    with piped() as program:
        yield program


@pytest.fixture
def channel(bot):
    """A bot that was asked at NOW_S and may take 100 ms of wall time."""
    made = Channel(bot, use_cpu_clock=False)
    made.begin(Ask(b"ask\n", 100.0), NOW_S)
    return made


def hears(channel, *chunks, at_s=NOW_S + 0.01):
    """Let a bot write pieces, each of which is taken before the next comes."""
    for chunk in chunks:
        channel.program.say(chunk)
        channel.on_stdout(at_s)
    return channel.outcome


@pytest.mark.parametrize("chunks", [(b"yes\n",), (b"y", b"e", b"s", b"\n"), (b"yes", b"\n")])
def test_line_in_many_pieces_is_an_answer(channel, chunks):
    outcome = answer(hears(channel, *chunks))
    assert (outcome.line, outcome.charged_ms) == (b"yes", pytest.approx(10))
    assert not channel.program.killed


@pytest.mark.parametrize("line", [b"\n", b"\r\n", b"\0\n", b"\xef\xbb\xbf{}\n", FULL_LINE])
def test_a_line_is_handed_on_as_it_is(channel, line):
    """Whether it means anything is for `engine.protocol` to say."""
    assert hears(channel, line).line == line[:-1]


@pytest.mark.parametrize(
    ("chunks", "word", "detail"),
    [
        ((b"x" + FULL_LINE,), Fault.OUTPUT_LIMIT, "answered with more than 4096 bytes"),
        ((b"x" * (LINE_CAP_BYTES + 1),), Fault.OUTPUT_LIMIT, "answered with more than 4096 bytes"),
        ((FULL_LINE[:-1], b"x"), Fault.OUTPUT_LIMIT, "answered with more than 4096 bytes"),
        ((FULL_LINE + b"x",), Fault.OUTPUT_LIMIT, "answered with more than 4096 bytes"),
        ((b"\n" * 60_000,), Fault.OUTPUT_LIMIT, "answered with more than 4096 bytes"),
        ((b"one\ntwo\n",), Fault.PROTOCOL_ERROR, "answered with more than one line"),
        ((b"one\n\n",), Fault.PROTOCOL_ERROR, "answered with more than one line"),
        ((b"one\nt",), Fault.PROTOCOL_ERROR, "answered with more than one line"),
        ((b"one\n", b"t"), Fault.PROTOCOL_ERROR, "wrote to stdout before it was asked"),
    ],
)
def test_more_than_a_line_ends_the_bot(channel, chunks, word, detail):
    hears(channel, *chunks)
    channel.begin(Ask(b"next\n", 100.0), NOW_S + 1)

    assert fault(channel.outcome) == (word, detail)
    assert channel.program.killed
    assert channel.program.heard() == b"ask\n"


def test_bot_that_drips_is_late(channel):
    """The deadline is the turn's: a byte that comes does not put it off."""
    for number in range(99):
        at_s = NOW_S + number / 1000
        assert hears(channel, b"x", at_s=at_s) is None
        channel.look(at_s)
    channel.look(NOW_S + 0.1)

    assert fault(channel.outcome) == (Fault.TIMEOUT, "used 100 ms of wall time; 100 were allowed")


def test_an_answer_that_came_too_late_is_late(channel):
    assert hears(channel, b"yes\n", at_s=NOW_S + 0.1005) == channel.outcome
    assert fault(channel.outcome) == (Fault.TIMEOUT, "used 100 ms of wall time; 100 were allowed")
    assert channel.outcome.charged_ms == pytest.approx(100.5)


def test_first_ask_has_separately_named_timeout(bot):
    channel = Channel(bot, use_cpu_clock=False)
    channel.begin(Ask(b"start\n", 100.0, starting=True), NOW_S)
    channel.look(NOW_S + 0.2)

    assert fault(channel.outcome)[0] == Fault.STARTUP_TIMEOUT


@pytest.mark.parametrize(
    ("how", "word", "detail"),
    [
        ({"status": 0}, Fault.CRASH, "ended with exit status 0 during the game"),
        ({"status": 3}, Fault.CRASH, "ended with exit status 3 during the game"),
        ({"signal": 11}, Fault.CRASH, "was ended by signal 11 (SIGSEGV) during the game"),
        ({"signal": 64}, Fault.CRASH, "was ended by signal 64 (SIGRTMAX) during the game"),
        ({"signal": 40}, Fault.CRASH, "was ended by signal 40 (unknown) during the game"),
        (
            {"signal": 9, "out_of_memory": True},
            Fault.MEMORY_LIMIT,
            "was ended because it used more memory than a bot may",
        ),
    ],
)
def test_an_end_is_told_by_its_kind(channel, how, word, detail):
    channel.program.end(**how)
    channel.on_stdout(NOW_S + 0.01)

    assert fault(channel.outcome) == (word, detail)


@pytest.mark.parametrize(
    ("lines", "when"),
    [((), "before it was ready"), ((b"ready\n",), "during the game")],
)
def test_end_before_first_answer_differs_from_after(bot, lines, when):
    channel = Channel(bot, use_cpu_clock=False)
    channel.begin(Ask(b"start\n", 100.0, starting=True), NOW_S)
    hears(channel, *lines)
    bot.end(status=0)
    channel.on_stdout(NOW_S + 0.02)
    channel.begin(Ask(b"next\n", 100.0), NOW_S + 1)

    assert fault(channel.outcome) == (Fault.CRASH, f"ended with exit status 0 {when}")


def test_end_is_awaited_then_is_closed_stdout(channel):
    channel.program.hang_up("says")
    channel.on_stdout(NOW_S)
    before, after = limits.EXIT_WAIT_MS / 1000 - 0.01, limits.EXIT_WAIT_MS / 1000

    channel.look(NOW_S + before)
    assert channel.outcome is None
    channel.look(NOW_S + after)
    assert fault(channel.outcome) == (Fault.CRASH, "closed its stdout during the game")


def test_bot_ended_after_answer_not_asked_again(channel):
    """Its answer counted; the end was seen before its status was there."""
    assert isinstance(hears(channel, b"yes\n"), Answer)
    channel.program.hang_up("says")
    channel.on_stdout(NOW_S + 0.02)
    channel.program.end(status=1)
    channel.begin(Ask(b"next\n", 100.0), NOW_S + 1)
    channel.look(NOW_S + 1)

    assert fault(channel.outcome) == (Fault.CRASH, "ended with exit status 1 during the game")
    assert channel.evidence().request == b"ask\n"


def test_line_longer_than_pipe_leaves_bit_by_bit(bot):
    line = b"x" * (3 * PIPE_BYTES) + b"\n"
    channel = Channel(bot, use_cpu_clock=False)
    more, heard = channel.begin(Ask(line, 100.0), NOW_S), b""
    while more:
        heard += bot.heard()
        more = channel.on_writable(NOW_S)
    heard += bot.heard()

    assert heard == line
    assert isinstance(hears(channel, b"yes\n"), Answer)


def test_answer_to_unread_line_is_a_foul(bot):
    """So no more than one line ever waits in front of a bot that does not read."""
    channel = Channel(bot, use_cpu_clock=False)
    assert channel.begin(Ask(b"x" * PIPE_BYTES + b"\n", 100.0), NOW_S)
    hears(channel, b"yes\n")

    said = "answered before it had read what it was asked"
    assert fault(channel.outcome) == (Fault.PROTOCOL_ERROR, said)


def test_bot_closing_its_stdin_may_play_on_blindly(bot):
    channel = Channel(bot, use_cpu_clock=False)
    bot.hang_up("reads")

    assert not channel.begin(Ask(b"ask\n", 100.0), NOW_S)
    assert isinstance(hears(channel, b"yes\n"), Answer)


@pytest.mark.parametrize("asking", [True, False])
def test_stderr_flood_ends_bot_whoever_is_asked(bot, asking):
    channel = Channel(bot, use_cpu_clock=False)
    if asking:
        channel.begin(Ask(b"ask\n", 100.0), NOW_S)
    watched = True
    while watched:
        bot.log(b"e" * PIPE_BYTES)
        watched = channel.on_stderr(NOW_S)
    channel.begin(Ask(b"ask\n", 100.0), NOW_S)

    assert fault(channel.outcome) == (Fault.OUTPUT_LIMIT, "wrote more than 800 KiB to stderr")
    assert channel.log.total <= limits.STDERR_MAX_BYTES + PIPE_BYTES
    assert len(channel.log.text()) < 2 * limits.STDERR_KEEP_BYTES + 100
    assert bot.killed


def test_cpu_charged_between_answers_waiting_is_not():
    """What a bot thinks while another is asked is charged with its next answer."""
    with piped(cpu_ms=30.0) as bot:
        channel = Channel(bot, use_cpu_clock=True)
        charges = []
        for at_s, used_ms in ((NOW_S, 30.0), (NOW_S + 60, 75.5), (NOW_S + 120, 75.5)):
            channel.begin(Ask(b"ask\n", 100.0), at_s)
            channel.look(at_s + 1.5)
            bot.used_ms = used_ms
            charges.append(hears(channel, b"yes\n", at_s=at_s + 2).charged_ms)

    assert charges == [30.0, 45.5, 0.0]


def test_bot_burning_too_much_noticed_without_answer():
    with piped(cpu_ms=0.0) as bot:
        channel = Channel(bot, use_cpu_clock=True)
        channel.begin(Ask(b"ask\n", 100.0), NOW_S)
        assert channel.look_again_s == NOW_S + 0.1
        bot.used_ms = 99.0
        channel.look(NOW_S + 0.1)
        assert channel.look_again_s == pytest.approx(NOW_S + 0.1 + limits.CLOCK_LOOK_MS / 1000)
        bot.used_ms = 101.0
        channel.look(NOW_S + 0.11)

    assert fault(channel.outcome) == (Fault.TIMEOUT, "used 101 ms of CPU time; 100 were allowed")


def test_bot_that_sleeps_is_late_by_wall():
    with piped(cpu_ms=0.0) as bot:
        channel = Channel(bot, use_cpu_clock=True)
        channel.begin(Ask(b"ask\n", 100.0), NOW_S)
        deadline_s = NOW_S + limits.wall_deadline_ms(100.0) / 1000
        channel.look(deadline_s - 0.01)
        assert (channel.outcome, channel.look_again_s) == (None, deadline_s)
        channel.look(deadline_s)

    assert fault(channel.outcome) == (Fault.TIMEOUT, "gave no answer within 2300 ms of wall time")


def test_sleep_of_game_has_an_end(monkeypatch):
    monkeypatch.setattr(limits, "SEAT_WALL_MS", 3_000)
    with piped(cpu_ms=0.0) as bot:
        channel = Channel(bot, use_cpu_clock=True)
        for at_s in (NOW_S, NOW_S + 10):
            channel.begin(Ask(b"ask\n", 1000.0), at_s)
            hears(channel, b"yes\n", at_s=at_s + 1.4)
        channel.begin(Ask(b"ask\n", 1000.0), NOW_S + 20)

        assert channel.look_again_s == pytest.approx(NOW_S + 20.2)
