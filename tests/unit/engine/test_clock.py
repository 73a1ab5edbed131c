"""What a record says of its clocks must fit together."""

from dataclasses import replace

import pytest

from engine.clock import ClockSpec, check_charges
from engine.errors import BadRecord
from engine.protocol import Answer, Fault
from engine.record import Record, sealed, verify
from tests.unit.engine.players import READY, scripted
from tests.unit.engine.refereed import GENERAL, fails, player, record_of, referee

SEATS = ("red", "blue")
FAIR = {**ClockSpec().as_json(), "basis": "cpu", "startup_used_ms": {"red": 10_000, "blue": 0}}


def test_a_record_tells_what_every_start_cost():
    started = scripted(Answer(READY, 730.6), fails(Fault.CRASH))
    record = referee(started, player())

    assert record.clock["startup_used_ms"] == {"red": 731, "blue": 1}
    again = Record.from_json(record.to_json())
    assert again == record
    verify(again)


def test_record_without_start_times_is_an_older_one():
    record = record_of(GENERAL)
    words = {key: value for key, value in record.clock.items() if key != "startup_used_ms"}
    older = sealed(replace(record, clock=words))

    assert older.chain != record.chain
    verify(Record.from_json(older.to_json()))


@pytest.mark.parametrize(
    ("starts", "problem"),
    [
        ({"red": 10_001}, "the start of 'red' costs more than the clock allowed"),
        ({"red": -1}, "the start of 'red' is not in whole milliseconds"),
        ({"red": 1.5}, "the start of 'red' is not in whole milliseconds"),
        ({"green": 1}, "starts are charged to who did not play"),
        ([["red", 1]], "starts are charged to who did not play"),
        (None, "starts are charged to who did not play"),
    ],
)
def test_starts_that_cannot_be_are_found(starts, problem):
    with pytest.raises(BadRecord, match=problem):
        check_charges({**FAIR, "startup_used_ms": starts}, SEATS, [("red", 1)])


def test_clock_allowance_may_be_used_to_the_last():
    check_charges(FAIR, SEATS, [("red", 5000), ("blue", 5000)] * 12)
    check_charges({**FAIR, "startup_used_ms": {"red": 99_999}}, SEATS, [])
    with pytest.raises(BadRecord, match="action 25 costs what no clock of 'red' allowed"):
        check_charges(FAIR, SEATS, [("red", 5000), ("blue", 5000)] * 13)
