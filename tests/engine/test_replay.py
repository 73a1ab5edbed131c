"""Replays: what each observer may watch, step by step."""

import json

import pytest

from engine.clock import ClockSpec
from engine.outcome import Result, Termination
from engine.record import Played, PlayerId, Record
from engine.referee import play
from engine.registry import find, resolve_options, variants
from engine.replay import replay, scene_at
from engine.scene import Mark
from engine.variant import FULL, PUBLIC
from engine.version import VERSION
from tests.engine.players import MemoryTable, random_player

EVERY = pytest.mark.parametrize("variant", variants().values(), ids=variants().keys())
RED = "FBBBB" + "9" + "88" + "777" + "4444" + "3333" + "222" + "S" + "2"  # a scout on h3
BLUE = "FBBBB" + "9" + "88" + "777" + "4444" + "333" + "S" + "22223"[:4] + "3"


def record(*moves, red=RED, blue=BLUE):
    """Make the record of a `general` game from deployments and moves, red first."""
    seats = [find("general").seats[number % 2] for number in range(len(moves))]
    return Record(
        format=1,
        engine=VERSION,
        variant="general@1",
        options=resolve_options(find("general"), {}),
        rng_seed=1,
        game="nonce",
        players={},
        clock={},
        isolation="none",
        actions=(
            Played("red", red, 5),
            Played("blue", blue, 6),
            *(Played(seat, move, 7) for seat, move in zip(seats, moves, strict=True)),
        ),
        result=Result({"red": 0.0, "blue": 1.0}, Termination.TIMEOUT, "red", "too slow"),
    )


def steps(observer, *moves):
    return replay(record(*moves), observer)["steps"]


def random_record(variant, rng_seed=1):
    return play(
        variant,
        options={"max_plies": 150},
        rng_seed=rng_seed,
        game="nonce",
        players={seat: PlayerId(seat, "") for seat in variant.seats},
        clock=ClockSpec(),
        table=MemoryTable({"red": random_player(rng_seed), "blue": random_player(rng_seed + 9)}),
        isolation="none",
    )


def test_a_replay_begins_after_the_deployments_and_ends_with_the_result():
    shown = replay(record("h3h4", "a6a5"), "red")

    assert (shown["variant"], shown["observer"], shown["plies"]) == ("general@1", "red", 2)
    assert len(shown["first"]["pieces"]) == 48
    assert len(shown["first"]["cells"]) == 64
    assert shown["result"] == {
        "outcome": {"red": 0.0, "blue": 1.0},
        "termination": "timeout",
        "fault": "red",
        "detail": "too slow",
    }
    assert json.loads(json.dumps(shown)) == shown


def test_a_step_says_what_moved_and_for_how_long_it_was_thought_over():
    step = steps("red", "h3h4")[0]

    assert step == {
        "ply": 1,
        "seat": "red",
        "text": "h3h4",
        "say": "red scout, h3 to h4",
        "charged_ms": 7,
        "marks": [{"kind": "from", "x": 7, "y": 5}, {"kind": "to", "x": 7, "y": 4}],
        "changes": [
            {
                "id": "r24",
                "x": 7,
                "y": 4,
                "side": "red",
                "face": "2",
                "text": "red scout",
                "known_to_all": False,
                "moved": True,
            }
        ],
        "notes": [],
        "event": "move",
    }


def test_who_may_not_know_the_piece_sees_a_back_move():
    step = steps("blue", "h3h4")[0]

    assert step["say"] == "red, unknown, h3 to h4"
    assert step["changes"][0]["face"] is None
    assert steps(PUBLIC, "h3h4")[0] == step
    assert steps(FULL, "h3h4") == steps("red", "h3h4")


def test_a_run_shows_the_scout():
    step = steps("blue", "h3h5")[0]

    assert (step["event"], step["text"]) == ("reveal", "h3h5")
    assert step["say"] == "red, unknown, h3 to h5; it is a scout"
    assert (step["changes"][0]["face"], step["changes"][0]["known_to_all"]) == ("2", True)


def test_a_fight_tells_both_ranks_and_fills_the_tray():
    step = steps(PUBLIC, "h3h6")[0]

    assert (step["event"], step["text"]) == ("fight", "h3xh6")
    assert step["say"] == "red scout h3 falls to miner h6"
    assert [mark["kind"] for mark in step["marks"]] == ["from", "fight"]
    assert [(c["id"], c.get("gone", False), c["face"]) for c in step["changes"]] == [
        ("b17", False, "3"),
        ("r24", True, "2"),
    ]
    assert step["changes"][1] == {
        "id": "r24", "gone": True, "side": "red", "face": "2", "text": "red scout",
    }  # fmt: skip


def test_a_game_that_never_began_shows_what_there_is():
    for count, seen in ((0, 0), (1, 24)):
        game = record()
        shown = replay(
            Record.from_json(_with_actions(game, count)),
            FULL,
        )
        assert (shown["plies"], len(shown["first"]["pieces"])) == (0, seen)


def _with_actions(game, count):
    words = json.loads(game.to_json())
    words["actions"] = words["actions"][:count]
    return json.dumps(words)


def test_a_scene_at_a_ply_marks_the_last_move():
    game = record("h3h4", "a6a5")

    assert scene_at(game, "red", 0).marks == ()
    assert scene_at(game, "red", 1).marks == (Mark("from", 7, 5), Mark("to", 7, 4))
    assert scene_at(game, "red", 2).marks == (Mark("from", 0, 2), Mark("to", 0, 3))
    assert scene_at(game, "red", 99) == scene_at(game, "red", 2)


@EVERY
@pytest.mark.parametrize("observer", ["red", "blue", PUBLIC, FULL])
def test_the_changes_lead_from_the_first_scene_to_the_last(variant, observer):
    game = random_record(variant)
    shown = replay(game, observer)
    board = {piece["id"]: piece for piece in shown["first"]["pieces"]}
    tray = []
    for step in shown["steps"]:
        for change in step["changes"]:
            if change.get("gone"):
                del board[change["id"]]
                tray.append(change["id"])
            else:
                board[change["id"]] = change

    last = scene_at(game, observer, shown["plies"])

    assert board == {
        piece.id: {field: getattr(piece, field) for field in piece.__slots__}
        for piece in last.pieces
    }
    assert tray == [gone.id for gone in last.removed]


@EVERY
def test_nothing_hidden_is_in_the_replay_of_another_seat(variant):
    """The faces that blue may see are those told in fights and runs, and its own."""
    game = random_record(variant, 3)
    shown = replay(game, "blue")
    told = {
        change["id"]
        for step in shown["steps"]
        for change in step["changes"]
        if change["side"] == "red" and change["face"] is not None
    }
    revealed = {
        change["id"]
        for step in replay(game, PUBLIC)["steps"]
        for change in step["changes"]
        if change["side"] == "red" and change["face"] is not None
    }

    assert told == revealed
    assert {p["face"] for p in shown["first"]["pieces"] if p["side"] == "red"} == {None}
