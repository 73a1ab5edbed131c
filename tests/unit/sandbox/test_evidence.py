"""What is kept of the exchange that cost a bot its seat."""

import pytest

from engine.protocol import LINE_CAP_BYTES, Answer, Ask
from sandbox import limits
from sandbox.levels.isolation import choose
from sandbox.table import Admission, open_table
from sandbox.uploads.unpacking import unpack
from sandbox.wire.channel import Channel
from sandbox.wire.evidence import Evidence
from tests.sandbox.piped import piped

NOW_S = 50.0


@pytest.fixture
def bot():
    with piped(cpu_ms=40.0) as program:
        yield program


@pytest.fixture
def channel(bot):
    return Channel(bot, use_cpu_clock=True)


def asked(channel, line=b"ask\n", at_s=NOW_S, allowance_ms=100.0):
    channel.begin(Ask(line, allowance_ms), at_s)


def test_an_answer_leaves_the_whole_exchange(bot, channel):
    """The referee may still find it illegal."""
    asked(channel)
    bot.say(b'{"action":"a4a5"}\n')
    bot.used_ms, bot.peak_bytes = 52.5, 9_000_000
    channel.on_stdout(NOW_S + 0.25)

    assert channel.outcome == Answer(b'{"action":"a4a5"}', 52.5)
    assert channel.evidence() == Evidence(
        request=b"ask\n",
        received=b'{"action":"a4a5"}\n',
        charged_ms=52.5,
        allowance_ms=100.0,
        wall_ms=250.0,
        cpu_ms=52.5,
        peak_memory_bytes=9_000_000,
        exit_status=None,
        signal=None,
    )


@pytest.mark.parametrize(
    ("how", "status", "signal"),
    [({"status": 7}, 7, None), ({"signal": 11}, None, 11)],
)
def test_crash_keeps_how_bot_ended_and_its_cost(bot, channel, how, status, signal):
    asked(channel)
    bot.used_ms = 45.0
    bot.end(**how)
    channel.on_stdout(NOW_S + 0.5)

    kept = channel.evidence()
    assert (kept.exit_status, kept.signal) == (status, signal)
    assert (kept.received, kept.charged_ms, kept.wall_ms) == (b"", 45.0, 500.0)


def test_no_more_is_kept_than_shows_excess(bot, channel):
    asked(channel, b"x" * (limits.EVIDENCE_REQUEST_BYTES + 10) + b"\n")
    bot.say(b"y" * 60_000)
    channel.on_stdout(NOW_S + 0.1)

    kept = channel.evidence()
    assert kept.request == b"x" * limits.EVIDENCE_REQUEST_BYTES
    assert kept.received == b"y" * (LINE_CAP_BYTES + 1)


def test_table_keeps_evidence_for_bots_not_scripted_players(tmp_path):
    code = b"import sys\nfor line in sys.stdin: print(line.strip().upper())\n"
    with open_table(
        isolation=choose("process"),
        seats={"red": unpack(code, "bot.py"), "blue": lambda line: line},
        work_dir=tmp_path,
        admission=Admission(trust_all=True),
    ) as table:
        ask = Ask(b"now\n", 5000)
        table.ask({"red": ask, "blue": ask})

    kept = table.evidence("red")
    assert kept is not None
    assert (kept.request, kept.received) == (b"now\n", b"NOW\n")
    assert 0 < kept.charged_ms == kept.wall_ms < 5000
    assert (kept.cpu_ms, kept.peak_memory_bytes) == (None, None)
    assert table.evidence("blue") is None
