"""The referee: one row for every way a game can end."""

import pytest

from engine.clock import ClockSpec
from engine.outcome import Termination
from engine.protocol import Answer, Fault, PlatformFault
from engine.record import verify
from tests.unit.engine.players import READY, MemoryTable, random_player, say, scripted
from tests.unit.engine.refereed import (
    ARMY,
    CLOCK,
    GENERAL,
    fails,
    ids,
    player,
    referee,
)

RED_FAILS = [
    (
        Termination.ILLEGAL_ACTION,
        say("a1a2"),
        "red: illegal: a1a2: flag and bombs stay where they are (rule A14)",
    ),
    (Termination.ILLEGAL_ACTION, say("hello"), "red: malformed: 'hello' is not a move"),
    (
        Termination.ILLEGAL_ACTION,
        say("x; blue: it crashed"),
        "red: malformed: 'x, blue: it crashed' is not a move",
    ),
    (Termination.TIMEOUT, fails(Fault.TIMEOUT), "red: it did"),
    (
        Termination.TIMEOUT,
        Answer(say("h3h4"), 100.5),
        "red: the answer took 101 ms and 100 ms were",
    ),
    (Termination.CRASH, fails(Fault.CRASH), "red: it did"),
    (Termination.PROTOCOL_ERROR, fails(Fault.PROTOCOL_ERROR), "red: it did"),
    (Termination.PROTOCOL_ERROR, b"h3h4", "red: the line is not JSON"),
    (Termination.PROTOCOL_ERROR, b'{"action":1}', 'red: the answer needs "action"'),
]


@pytest.mark.parametrize(("termination", "line", "detail"), RED_FAILS)
def test_a_fault_on_the_turn_forfeits_the_game(termination, line, detail):
    record = referee(player(line), player())

    assert (record.result.termination, record.result.fault) == (termination, "red")
    assert record.result.points == {"red": 0.0, "blue": 1.0}
    assert record.result.detail.startswith(detail)
    assert [played.seat for played in record.actions] == ["red", "blue"]
    verify(record)


def test_answer_using_all_time_left_is_in_time():
    record = referee(player(Answer(say("h3h4"), 100.0)), player(), options={"max_plies": 1})

    assert record.result.termination == "ply_cap"
    verify(record)


@pytest.mark.parametrize(
    ("termination", "line"),
    [
        (Termination.ILLEGAL_DEPLOYMENT, say(ARMY[:-1])),
        (Termination.ILLEGAL_DEPLOYMENT, say("a1a2")),
        (Termination.TIMEOUT, fails(Fault.TIMEOUT)),
        (Termination.CRASH, fails(Fault.CRASH)),
        (Termination.PROTOCOL_ERROR, b"{}"),
    ],
)
@pytest.mark.parametrize("seat", ["red", "blue"])
def test_a_fault_while_deploying_forfeits_the_game(termination, line, seat):
    players = {"red": player(), "blue": player(), seat: scripted(READY, line)}

    record = referee(**players)

    other = {"red": "blue", "blue": "red"}[seat]
    assert (record.result.termination, record.result.fault) == (termination, seat)
    assert record.result.points == {seat: 0.0, other: 1.0}
    assert [(played.seat, played.action) for played in record.actions] == [(other, ARMY)]
    verify(record)


@pytest.mark.parametrize(
    ("termination", "line"),
    [
        (Termination.STARTUP_TIMEOUT, fails(Fault.STARTUP_TIMEOUT)),
        (Termination.STARTUP_TIMEOUT, Answer(READY, 1001.0)),
        (Termination.CRASH, fails(Fault.CRASH)),
        (Termination.MEMORY_LIMIT, fails(Fault.MEMORY_LIMIT)),
        (Termination.PROTOCOL_ERROR, b"Hello, world"),
        (Termination.PROTOCOL_ERROR, b'{"type":"ready","wants":{"legal":1}}'),
        (Termination.PROTOCOL_ERROR, b'{"action":"ready"}'),
    ],
)
def test_a_fault_at_the_start_forfeits_the_game(termination, line):
    record = referee(player(), scripted(line))

    assert (record.result.termination, record.result.fault) == (termination, "blue")
    assert record.result.points == {"red": 1.0, "blue": 0.0}
    assert record.actions == ()
    verify(record)


def test_a_fault_of_the_platform_passes_through():
    def broken(message):
        raise PlatformFault("the table broke")

    with pytest.raises(PlatformFault, match="the table broke"):
        referee(player(), broken)


def test_a_whole_random_game_is_played_and_verifies():
    plies: list[int] = []
    table = MemoryTable({"red": random_player(1), "blue": random_player(2)})

    record = referee(None, None, table=table, clock=ClockSpec(), progress=plies.append)

    assert record.result.fault is None
    assert plies == list(range(len(record.actions) - 1))
    assert table.asked_together[:2] == [("red", "blue"), ("red", "blue")]
    assert {len(seats) for seats in table.asked_together[2:]} == {1}
    verify(record)


def test_the_record_names_who_played_and_under_what():
    record = referee(player(b""), player(), options={"lakes": "none"})

    assert record.variant == "general@1"
    assert record.players == ids(GENERAL)
    assert record.clock == {
        **CLOCK.as_json(),
        "basis": "wall",
        "startup_used_ms": {"red": 1, "blue": 1},
    }
    assert (record.rng_seed, record.game, record.isolation) == (1, "nonce", "none")
    assert record.options["max_plies"] == 2000
