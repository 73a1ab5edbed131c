"""The referee with three seats on two sides: who is asked, who loses, who hears of it."""

import pytest

from engine.outcome import Termination
from engine.protocol import Fault
from tests.unit.engine.players import READY, MemoryTable, say, scripted
from tests.unit.engine.refereed import fails, record_of
from tests.unit.engine.trio import SEATS, TRIO


def counted(**lines):
    """Play a game of trio in which some seats say other lines than they should."""
    fair = {seat: [READY, say("1"), say(str(n))] for n, seat in enumerate(SEATS, start=1)}
    table = MemoryTable({seat: scripted(*said) for seat, said in {**fair, **lines}.items()})
    record = record_of(TRIO, table=table)
    return record, table


def test_all_deploy_at_once_then_act_in_turn():
    record, table = counted()

    assert table.asked_together == [SEATS, SEATS, ("one",), ("left",), ("right",)]
    assert [(played.seat, played.action) for played in record.actions] == [
        *((seat, "1") for seat in SEATS),
        *((seat, str(n)) for n, seat in enumerate(SEATS, start=1)),
    ]
    assert record.result.points == {"alone": 1.0, "pair": 0.0}
    assert record.result.fault is None
    assert list(record.players) == list(SEATS)


def test_every_seat_hears_of_others_and_end():
    _, table = counted()

    last = table.messages("right")[-2]
    assert last["events"] == [
        {"type": "deployed", "seat": "one"},
        {"type": "deployed", "seat": "left"},
        {"type": "deployed", "seat": "right", "bit": "1"},
        {"type": "moved", "seat": "one", "count": 1},
        {"type": "moved", "seat": "left", "count": 2},
    ]
    assert last["view"]["bits"] == {"right": "1"}
    ends = [table.messages(seat)[-1] for seat in SEATS]
    assert [end["outcome"] for end in ends] == [{"alone": 1, "pair": 0}] * 3
    assert [end["view"]["bits"] for end in ends] == [{seat: "1"} for seat in SEATS]
    assert [[event["seat"] for event in end["events"]] for end in ends] == [
        ["one", "left", "right"],
        ["left", "right"],
        ["right"],
    ]


@pytest.mark.parametrize(
    ("lines", "fault", "points"),
    [
        ({"one": [READY, say("1"), say("9")]}, "one", {"alone": 0.0, "pair": 1.0}),
        ({"left": [READY, say("1"), say("9")]}, "left", {"alone": 1.0, "pair": 0.0}),
        ({"right": [READY, say("1"), say("9")]}, "right", {"alone": 1.0, "pair": 0.0}),
    ],
)
def test_fault_of_seat_costs_whole_side_the_game(lines, fault, points):
    record, table = counted(**lines)

    assert (record.result.fault, record.result.points) == (fault, points)
    assert record.result.termination == Termination.ILLEGAL_ACTION
    assert record.result.detail == f"{fault}: illegal: count on (rule X1)"
    assert {table.messages(seat)[-1]["type"] for seat in SEATS} == {"end"}


@pytest.mark.parametrize(
    ("failing", "points"),
    [
        (("left",), {"alone": 1.0, "pair": 0.0}),
        (("left", "right"), {"alone": 1.0, "pair": 0.0}),
        (("one", "right"), {"alone": 0.0, "pair": 0.0}),
        (SEATS, {"alone": 0.0, "pair": 0.0}),
    ],
)
@pytest.mark.parametrize("ready", [True, False])
def test_seats_failing_at_once_lose_first_is_named(failing, points, ready):
    crash = fails(Fault.CRASH, "it crashed")
    lines = [READY, crash] if ready else [crash]

    record, _ = counted(**{seat: list(lines) for seat in failing})

    assert (record.result.fault, record.result.points) == (failing[0], points)
    assert record.result.detail == "; ".join(f"{seat}: it crashed" for seat in failing)
    fair = [seat for seat in SEATS if seat not in failing]
    assert [played.seat for played in record.actions] == (fair if ready else [])
