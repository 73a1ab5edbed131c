"""What a bot of the kit believes goes with its action, in a line that always fits."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from botkit import Bot, Conversation, DuelView
from engine.protocol import LINE_CAP_BYTES, parse_act
from engine.remarks import TOLERANCE
from tests.unit.botkit.messages import act_message, line, start_message

RANKS = "FBS23456789M"


def said(*beliefs: Any, note: Any = "") -> list[dict[str, object]]:
    """Return the answers of a bot that believes this, turn by turn, as the arena reads them."""
    turns = iter(beliefs)

    class Believer(Bot[DuelView]):
        def act(self, view: DuelView, legal: Sequence[str]) -> str:
            assert self.belief == {}
            self.note, self.belief = note, next(turns)
            return legal[0]

    game = Conversation(Believer)
    game.receive(line(start_message()))
    lines = [game.receive(line(act_message("turn", legal=["a1a2"]))) or b"" for _ in beliefs]
    for each in lines:
        assert len(each.rstrip(b"\n")) <= LINE_CAP_BYTES
        parse_act(each.rstrip(b"\n"))
    return [json.loads(each) for each in lines]


def test_belief_for_one_turn_rounded_without_nearly_0() -> None:
    first, second = said({"b1": {"F": 1 / 3, "M": 0.0004, "2": 0.25}, "b2": {}}, {})

    assert first == {"action": "a1a2", "belief": {"b1": {"F": 0.333, "2": 0.25}}}
    assert second == {"action": "a1a2"}


@pytest.mark.parametrize("note", ["", "\0" * 500])
def test_least_sure_pieces_left_out_of_full_line(note: str) -> None:
    vague = {f"b{number}": dict.fromkeys(RANKS, 1 / 12) for number in range(200)}

    (answer,) = said({**vague, "b900": {"M": 0.9}}, note=note)
    belief = answer["belief"]

    assert isinstance(belief, dict)
    assert next(iter(belief)) == "b900"
    assert len(belief) > 5
    assert answer.get("note", "") == note


def test_rounding_never_makes_belief_arena_drops() -> None:
    for ranks in (dict.fromkeys(RANKS, 0.0835), {"F": 1.0000001}, {"F": 0.5005, "B": 0.4995}):
        (answer,) = said({"b1": ranks})
        belief = answer["belief"]

        assert isinstance(belief, dict)
        assert sum(belief["b1"].values()) <= 1 + TOLERANCE
        assert max(belief["b1"].values()) <= 1


@pytest.mark.parametrize("chance", [float("nan"), float("inf"), -1.0])
def test_number_that_is_no_probability_costs_no_game(chance: float) -> None:
    (answer,) = said({"b1": {"F": chance}})

    assert answer in ({"action": "a1a2"}, {"action": "a1a2", "belief": {"b1": {"F": 1.0}}})


@pytest.mark.parametrize(
    "belief", [5, None, ["b1"], {"b1": 1}, {"b1": {"F": "0.5"}}, {(): {"F": 1}}]
)
def test_what_cannot_be_sent_drops_with_one_warning(belief, capsys) -> None:
    assert said(belief, {"b1": {"F": np.float32(0.5)}}, belief, note=5) == [
        {"action": "a1a2"},
        {"action": "a1a2", "belief": {"b1": {"F": 0.5}}},
        {"action": "a1a2"},
    ]
    told = [line.partition(": it must be")[0] for line in capsys.readouterr().err.splitlines()]
    assert told == ["warning: a note is dropped", "warning: a belief is dropped"]


def test_half_character_in_name_is_read_by_arena() -> None:
    said({"\ud800": {"\ud800": 0.5}})
