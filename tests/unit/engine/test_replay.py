"""Replays: what each observer may watch, step by step."""

import json
from dataclasses import asdict, replace

from engine.outcome import Result, Termination
from engine.record import Played, Record
from engine.registry import find, resolve_options
from engine.replay import replay, scene_at
from engine.scene import Mark
from engine.variant import FULL, PUBLIC
from engine.version import VERSION
from tests.unit.engine.games import EVERY, caps, observers
from tests.unit.engine.refereed import record_of

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


def test_replay_begins_after_deployments_and_ends_with_result():
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


def test_viewer_without_knowledge_sees_a_back_move():
    step = steps("blue", "h3h4")[0]

    assert step["say"] == "red, unknown, h3 to h4"
    assert step["changes"][0]["face"] is None
    assert steps(PUBLIC, "h3h4")[0] == step
    assert steps(FULL, "h3h4") == steps("red", "h3h4")


def test_game_that_never_began_shows_what_there_is():
    for count, seen in ((0, 0), (1, 24)):
        game = record()
        shown = replay(replace(game, actions=game.actions[:count]), FULL)
        assert (shown["plies"], len(shown["first"]["pieces"])) == (0, seen)


def test_scene_at_ply_marks_the_last_move():
    game = record("h3h4", "a6a5")

    assert scene_at(game, "red", 0).marks == ()
    assert scene_at(game, "red", 1).marks == (Mark("from", 7, 5), Mark("to", 7, 4))
    assert scene_at(game, "red", 2).marks == (Mark("from", 0, 2), Mark("to", 0, 3))
    assert scene_at(game, "red", 99) == scene_at(game, "red", 2)


@EVERY
def test_changes_lead_from_first_scene_to_last(variant):
    game = record_of(variant, 1, caps(variant, 80))
    for observer in observers(variant):
        shown = replay(game, observer)
        board = {piece["id"]: piece for piece in shown["first"]["pieces"]}
        tray = [gone["id"] for gone in shown["first"]["removed"]]
        for step in shown["steps"]:
            for change in step["changes"]:
                if change.get("gone"):
                    board.pop(change["id"], None)
                    tray += [change["id"]] if "face" in change else []
                else:
                    board[change["id"]] = change

        last = scene_at(game, observer, shown["plies"])

        assert board == {piece.id: asdict(piece) for piece in last.pieces}
        assert tray == [gone.id for gone in last.removed]
        assert shown["steps"][-1]["notes"] == [asdict(note) for note in last.notes]


@EVERY
def test_every_ply_after_opening_is_a_described_step(variant):
    game = record_of(variant, 1, caps(variant))
    for observer in observers(variant):
        shown = replay(game, observer)
        opening = len(game.actions) - shown["plies"]

        assert [step["ply"] for step in shown["steps"]] == list(range(1, shown["plies"] + 1))
        for step, played in zip(shown["steps"], game.actions[opening:], strict=True):
            assert (step["seat"], step["charged_ms"]) == (played.seat, played.charged_ms)
            assert step["text"]
            assert step["say"]
            assert step["event"] in ("move", "fight", "reveal")
            kinds = {mark["kind"] for mark in step["marks"]}
            assert kinds <= {"from", "to", "fight"}
            assert step["event"] == "fight" or "fight" not in kinds
