"""What the kit says of a siege, against the engine that plays it."""

from typing import Any

import pytest

from botkit import SiegeView, Step, view_of
from engine.registry import find
from tests.unit.engine.games import random_game
from tests.unit.engine.sieges import besieged

SIEGE = find("siege")
READINGS: tuple[dict[str, Any], ...] = (
    {},
    {"gates": "NS", "setup": "own_colour", "moves": "range1"},
)


def seen(state, seat="garrison"):
    view = view_of(SIEGE.view(state, seat))
    assert isinstance(view, SiegeView)
    return view


def test_a_move_is_taken_apart_and_put_together():
    for text, step in {
        "c3-d4": Step("c3", "d4"),
        "W-NW": Step("W", "NW"),
        "a10-a12!": Step("a10", "a12", demands=True),
        "SE-l6!d5": Step("SE", "l6", demands=True, wanted="d5"),
    }.items():
        assert Step.parse(text) == step
        assert str(step) == text
    for wrong in ("pass", "c3d4", ""):
        with pytest.raises(ValueError, match="not a move"):
            Step.parse(wrong)


@pytest.mark.parametrize("options", READINGS)
def test_field_knows_moves_and_captures_of_engine(options):
    """Rule 18 is left to `legal`: where it narrows the choice the field may show more."""
    met = 0
    for state, seat, _ in random_game(SIEGE, 4, options):
        if not seat or SIEGE.phase(state) == "deploy":
            continue
        view = seen(state, seat)
        field = view.field(options)
        legal = {text for text in SIEGE.legal(state, seat) or () if "!" not in text} - {"pass"}
        reached = {f"{p.place}-{place}" for p in view.own for place in field.reach(p)}
        taking = {f"{one.place}-{other.place}" for one, other in field.captures()}
        if seat != "garrison":
            assert reached == legal
        elif view.demand and view.demand["binds"]:
            assert taking == legal
        else:
            onto = {text for text in reached if Step.parse(text).target in view.at}
            assert (reached - onto) | taking >= legal
            assert {text for text in legal if Step.parse(text).target in view.at} <= taking
            met += bool(taking)
    assert met > 10


def test_the_field_looks_ahead():
    state = besieged("SW Ga1", white="Sd5 Le8").state
    field = seen(state).field({})

    assert field.captures() == []
    out = field.after("W-e6")
    assert out.at["e6"].bound == "light"
    assert [(one.place, other.place) for one, other in out.captures()] == [("e6", "d5")]
    assert out.guarded("d7")
    assert not field.guarded("d5")
    assert field.at["W"].bound == ""
    assert [piece.id for piece in field.after("W-N").after("d5-e6").after("e6-W").inside()] == [
        "w1"
    ]


def test_steps_to_gate_are_counted_for_each_rank():
    terrain = seen(besieged("Ga1").state).field({}).terrain

    assert terrain.steps_to("W", "S")["e6"] == 1
    assert terrain.steps_to("W", "S")["d5"] == 2
    assert terrain.steps_to("W", "L")["b3"] == 3
    assert terrain.steps_to("W", "G")["a6"] == 3
