"""The board, the exits and the turns of `siege` (rules 11 to 15)."""

import pytest

from engine.errors import IllegalAction
from engine.registry import resolve_options
from engine.rng import Rng
from engine.variants.siege.board import CIRCLES, EXITS
from engine.variants.siege.rules import VARIANT
from tests.unit.engine.sieges import SHADE_OF, begun, besieged


@pytest.mark.rule("D25", "DX2")
@pytest.mark.parametrize(
    ("gates", "ways"),
    [
        ("EW", {("W", "e6"), ("W", "e7"), ("E", "l6"), ("E", "l7")}),
        ("NS", {("N", "h10"), ("N", "i10"), ("S", "h3"), ("S", "i3")}),
    ],
)
def test_gates_lead_to_two_light_two_dark_squares(gates, ways):
    shades = [SHADE_OF[square] for squares in EXITS[gates].values() for square in squares]
    outward = {
        (circle, target)
        for circle in CIRCLES
        for target in besieged(f"G{circle} Sa1", gates=gates).moves_from(circle)
        if target not in CIRCLES
    }

    assert len(EXITS[gates]) == 2
    assert sorted(shades) == [0, 0, 1, 1]
    assert outward == ways
    assert {len({SHADE_OF[name] for name in squares}) for squares in EXITS[gates].values()} == {2}
    closed = besieged("GNE Ge8", gates=gates)
    closed.refused("NE-l10", "D25")
    closed.refused("e8-NW", "D25")


@pytest.mark.rule("D26", "D28")
def test_the_garrison_plays_first_and_always_moves():
    game = begun()

    assert game.turn == "garrison"
    assert game.moves() == {"W-e6", "W-e7", "E-l6", "E-l7"}
    game.refused("pass", "D28")
    game.refused("b1-c2", "D28")
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)
    with pytest.raises(IllegalAction) as refusal:
        VARIANT.apply(state, "white", "b1-c2")
    assert refusal.value.rule == "D26"


@pytest.mark.rule("D27")
def test_then_white_moves_a_piece_of_its_own():
    game = begun()
    game.play("W-e6")

    assert game.turn == "white"
    for other in ("o1-n2", "e6-d7", "h1-h2"):
        game.refused(other, "D27")


@pytest.mark.rule("D29", "D30")
def test_white_and_black_take_turns_with_the_garrison():
    game, seats, rng = begun(), [], Rng(3)
    for _ in range(8):
        seats.append(game.turn)
        for seat in {"garrison", "white", "black"} - {game.turn}:
            game.refused("W-e6", "D30", seat)
        if game.turn == "black":
            game.refused("b1-c2", "D29")
        game.play(rng.choice(sorted(game.moves())))

    assert seats == ["garrison", "white", "garrison", "black"] * 2
    assert game.view["cycle"] == ["garrison", "white", "garrison", "black"]
