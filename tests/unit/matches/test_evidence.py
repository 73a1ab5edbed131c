"""What is kept of a forfeit, and how it is shown."""

from dataclasses import asdict

import pytest

from arena.domain.matches import evidence
from arena.models import GameEvidence
from arena.texts import matches as texts
from engine.outcome import FAULTS, Result, Termination
from sandbox.wire.evidence import Evidence

KEPT = Evidence(
    request=b'{"type":"act"}\n',
    received=b"no\n",
    charged_ms=12.34,
    allowance_ms=5000.0,
    wall_ms=99.96,
    cpu_ms=None,
    peak_memory_bytes=None,
    exit_status=None,
    signal=None,
)


def fault(seat, detail):
    return Result({"red": 0.0, "blue": 1.0}, Termination.CRASH, fault=seat, detail=detail)


@pytest.mark.parametrize(
    ("result", "seats"),
    [
        (Result({"red": 1.0, "blue": 0.0}, "flag_captured"), []),
        (fault("red", "red: crashed"), ["red"]),
        (fault("red", "red: crashed; blue: crashed too"), ["red", "blue"]),
        (fault("red", "red: said blue: no"), ["red"]),
    ],
)
def test_evidence_is_gathered_of_the_seats_that_failed(result, seats):
    rows = evidence.gather(kept=lambda _: KEPT, seats=["red", "blue"], result=result)

    assert [row.seat for row in rows] == seats
    for row in rows:
        assert {name: getattr(row, name) for name in asdict(KEPT)} == asdict(KEPT)


def test_a_scripted_player_leaves_no_evidence():
    failed = fault("red", "red: x")

    assert evidence.gather(kept=lambda _: None, seats=["red"], result=failed) == []


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"", ""),
        (b'{"action":"a4a5"}\n', '{"action":"a4a5"}\\n'),
        (b"one\ntwo\r\n", "one\\n\ntwo\\r\\n"),
        ("café ♟".encode(), "café ♟"),
        (b"a\\n\0\x1b[31m", "a\\\\n\\x00\\x1b[31m"),
        ("turned\u202eround\u200b".encode(), "turned\\u202eround\\u200b"),
        (b"\xff\xfe<b>", f"0000  {'ff fe 3c 62 3e':<48} ..<b>"),
        (b"\x80" * 17, f"0000  {'80 ' * 16} {'.' * 16}\n0010  {'80':<48} ."),
    ],
)
def test_any_bytes_are_shown_as_printable_text(data, shown):
    assert evidence.readable(data) == shown
    assert evidence.readable(memoryview(data)) == shown
    assert shown.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("measured", "figures"),
    [
        ({}, {"End of the program": "Still running"}),
        ({"exit_status": 0}, {"End of the program": "Exit status 0"}),
        ({"signal": 11}, {"End of the program": "Signal 11 (SIGSEGV)"}),
        ({"signal": 77}, {"End of the program": "Signal 77"}),
        (
            {"cpu_ms": 0.04, "peak_memory_bytes": 268435456, "exit_status": 1},
            {
                "CPU time since its start": "0.0 ms",
                "Peak memory": "256.0 MiB",
                "End of the program": "Exit status 1",
            },
        ),
    ],
)
def test_what_was_measured_is_said_with_its_unit(measured, figures):
    row = GameEvidence(**{**asdict(KEPT), **measured})

    assert dict(evidence.figures(row=row)) == {
        "Charged": "12 ms of 5000 ms",
        "Wall time": "100 ms",
        **figures,
    }


def test_a_log_holds_all_of_it():
    assert evidence.in_words(row=GameEvidence(**asdict(KEPT))).splitlines() == [
        "-- sent to the bot: 15 bytes",
        '{"type":"act"}\\n',
        "-- received from it: 3 bytes",
        "no\\n",
        "-- measured",
        "Charged: 12 ms of 5000 ms",
        "Wall time: 100 ms",
        "End of the program: Still running",
    ]


def test_every_fault_is_explained():
    assert set(texts.MEANINGS) == FAULTS
    assert set(texts.FAULTS) == set(texts.DETAILED_FAULTS) == FAULTS - {"platform_fault"}
