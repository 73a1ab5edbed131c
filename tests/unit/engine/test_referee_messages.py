"""What the referee sends to whom, and how it holds the clocks."""

import json

import pytest

from engine.clock import ClockSpec
from engine.outcome import Termination, who_resigned
from engine.protocol import Answer
from engine.record import verify
from engine.replay import replay
from engine.rng import seat_seed
from tests.unit.engine.players import READY, MemoryTable, say, scripted
from tests.unit.engine.refereed import ARMY, player, referee


def test_start_message_says_all_a_bot_needs():
    table = MemoryTable({"red": player(b""), "blue": player()})

    referee(None, None, table=table, options={"lakes": "lakes_8x8"})

    start = table.messages("blue")[0]
    assert table.messages("red")[0]["rng_seed"] == seat_seed(1, "red") == 123586493588063
    assert start.pop("options")["lakes"] == "lakes_8x8"
    assert start == {
        "type": "start",
        "protocol": 1,
        "variant": "general@1",
        "seat": "blue",
        "rng_seed": 217464461241649,  # seat_seed(1, "blue")
        "game": "nonce",
        "clock": {
            "startup_ms": 1000,
            "bank_ms": 500,
            "increment_ms": 0,
            "action_ms": 100,
            "basis": "wall",
        },
        "limits": {"line_bytes": 4096},
    }


def test_act_message_holds_view_events_actions_and_clock():
    table = MemoryTable(
        {"red": player(say("h3h4"), Answer(say("h4h5"), 20.4)), "blue": player(say("a6a5"))}
    )

    referee(None, None, table=table, options={"max_plies": 3})

    deploy, first, second, end = table.messages("red")[1:]
    assert list(deploy) == ["type", "ply", "phase", "view", "events", "clock"]
    assert (deploy["phase"], deploy["events"]) == ("deploy", [])
    assert first["events"] == [
        {"type": "deployed", "seat": "red", "deployment": ARMY},
        {"type": "deployed", "seat": "blue"},
    ]
    assert "h3h4" in first["legal"]
    assert [event["type"] for event in second["events"]] == ["moved", "moved"]
    assert second["events"][1] == {
        "type": "moved", "seat": "blue", "piece": "b24", "from": "a6", "to": "a5",
    }  # fmt: skip
    assert (second["ply"], second["view"]["observer"]) == (2, "red")
    assert second["clock"] == {"bank_ms": 498, "used_ms": 1}
    assert list(end) == ["type", "outcome", "termination", "fault", "events", "view"]
    assert (end["outcome"], end["termination"]) == ({"red": 0.5, "blue": 0.5}, "ply_cap")


def test_only_seat_at_fault_hears_what_was_wrong():
    """The words can quote what its program sent, which is nobody else's business."""
    table = MemoryTable({"red": player(say("S3CRET")), "blue": player()})

    referee(None, None, table=table)

    assert "S3CRET" in table.messages("red")[-1]["detail"]
    assert b"S3CRET" not in b"".join(table.sent["blue"])


def test_both_failing_seats_hear_their_own_fault():
    red, blue = (scripted(READY, say(word)) for word in ("QQQ", "ZZZ"))
    table = MemoryTable({"red": red, "blue": blue})

    referee(None, None, table=table)

    for seat, own, other in (("red", b"Q", b"Z"), ("blue", b"Z", b"Q")):
        assert own in table.sent[seat][-1]
        assert other not in table.sent[seat][-1]


def test_owner_is_warned_once_of_unknown_keys():
    red = scripted(
        b'{"type":"ready","legal":false}',
        json.dumps({"action": ARMY, "mood\n": 1}).encode(),
        json.dumps({"action": "h3h4", "mood": 1}).encode(),
    )
    table = MemoryTable({"red": red, "blue": player(say("a6a5"))})

    record = referee(None, None, table=table, options={"max_plies": 2})

    assert record.result.termination == "ply_cap"
    assert table.notes == {
        "red": ["warning: the arena ignores keys that it does not know: 'legal'"],
        "blue": [],
    }


def test_bot_name_and_version_are_for_its_owner():
    red = scripted(b'{"type":"ready","name":"S3CRET","version":"2"}', say(ARMY), say("h3h4"))
    table = MemoryTable({"red": red, "blue": player(say("a6a5"))})

    record = referee(None, None, table=table, options={"max_plies": 2})

    assert table.notes == {"red": ["the bot calls itself 'S3CRET', version '2'"], "blue": []}
    assert "S3CRET" not in record.to_json()
    assert b"S3CRET" not in b"".join(table.sent["blue"])


def test_resignation_beside_a_fault_does_not_count():
    """Both were asked at once: the one that failed lost, whatever the other wanted."""
    table = MemoryTable({"red": scripted(READY, b"x"), "blue": scripted(READY, say("resign"))})

    record = referee(None, None, table=table)

    assert (record.result.termination, record.result.fault) == (Termination.PROTOCOL_ERROR, "red")
    verify(record)


@pytest.mark.parametrize("phase", ["deploy", "turn"])
def test_resigning_seat_loses_without_fault(phase):
    acts = [say("resign")] if phase == "deploy" else [say(ARMY), say("resign")]
    table = MemoryTable({"red": scripted(READY, *acts), "blue": player()})

    record = referee(None, None, table=table)

    assert (record.result.termination, record.result.fault) == (Termination.RESIGNED, None)
    assert record.result.points == {"red": 0.0, "blue": 1.0}
    assert who_resigned(record.result.detail) == ["red"]
    end = table.messages("blue")[-1]
    assert end["events"][-2:] == [
        {"type": "resigned", "seat": "red"},
        {"type": "ended", "points": {"red": 0.0, "blue": 1.0}, "termination": "resigned"},
    ]
    verify(record)
    assert replay(record, "public")["result"]["termination"] == "resigned"


def test_bank_runs_out_and_increment_comes_back():
    clock = ClockSpec(startup_ms=1000, bank_ms=100, increment_ms=10, action_ms=80)
    slow = scripted(
        READY, say(ARMY), Answer(say("h3h4"), 60.0), Answer(say("h4h3"), 60.0), b"never asked"
    )
    table = MemoryTable({"red": slow, "blue": player(say("a6a5"), say("a5a6"))})

    record = referee(None, None, table=table, clock=clock)

    asked = [message["clock"] for message in table.messages("red")[1:-1]]
    assert asked == [
        {"bank_ms": 100, "used_ms": 0},
        {"bank_ms": 109, "used_ms": 1},
        {"bank_ms": 59, "used_ms": 60},
    ]
    assert (record.result.termination, record.result.fault) == (Termination.TIMEOUT, "red")
    assert record.result.detail == "red: the answer took 60 ms and 59 ms were left"
