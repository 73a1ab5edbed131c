"""The garrison of `siege`: how it moves, and what is its own colour (rules 5 to 8)."""

from collections import Counter
from itertools import product

import pytest

from engine.errors import IllegalDeployment, MalformedAction
from engine.registry import resolve_options
from engine.variants.siege.army import ARMIES
from engine.variants.siege.board import CIRCLES
from engine.variants.siege.play import PLACINGS
from engine.variants.siege.rules import VARIANT
from tests.unit.engine.sieges import DIAGONAL, STRAIGHT, around, begun, besieged, garrison_goes


@pytest.mark.rule("D7")
def test_the_general_goes_one_square_any_way():
    assert garrison_goes("G") == around("c6", *STRAIGHT, *DIAGONAL)
    besieged("Gc6").refused("c6-c8", "D7")


@pytest.mark.rule("D8")
def test_the_general_captures_any_way_on_either_colour():
    for target in around("c6", *STRAIGHT, *DIAGONAL):
        game = besieged("Gc6", white=f"S{target}")
        (event, *_) = game.play(f"c6-{target}")
        assert event.kind == "captured"
        assert game.on(target) == "garrison G"
    besieged("Gc6", white="Sc8").refused("c6-c8", "D8")


@pytest.mark.rule("D9")
def test_colonel_goes_one_square_forward_back_or_sideways():
    assert garrison_goes("C") == around("c6", *STRAIGHT)
    for nowhere in ("c6-c8", "c6-c6"):
        besieged("Cc6").refused(nowhere, "D9")


@pytest.mark.rule("D10")
def test_the_colonel_captures_the_same_way():
    for target in around("c6", *STRAIGHT):
        assert besieged("Cc6", white=f"S{target}").play(f"c6-{target}")[0].kind == "captured"
    besieged("Cc6", white="Sc8").refused("c6-c8", "D10")


@pytest.mark.rule("D11")
def test_the_colonel_never_goes_diagonally():
    for target in around("c6", *DIAGONAL):
        besieged("Cc6").refused(f"c6-{target}", "D11")
        besieged("Cc6", white=f"S{target}").refused(f"c6-{target}", "D11")


@pytest.mark.rule("D12")
def test_a_garrison_soldier_goes_one_square_diagonally():
    assert garrison_goes("S") == around("c6", *DIAGONAL)
    for target in ("c7", "e8", "d6"):
        besieged("Sc6").refused(f"c6-{target}", "D12")


@pytest.mark.rule("D13")
def test_a_garrison_soldier_captures_the_same_way():
    for target in around("c6", *DIAGONAL):
        assert besieged("Sc6", white=f"S{target}").play(f"c6-{target}")[0].kind == "captured"
    for target in around("c6", *STRAIGHT):
        besieged("Sc6", white=f"S{target}").refused(f"c6-{target}", "D13")


@pytest.mark.rule("D14")
def test_only_three_garrison_soldiers_on_one_colour():
    three_light = "Sa2 Sa4 Sc2"
    game = besieged(f"{three_light} SW SE Gc8")

    assert game.moves_from("W") == {"e7", "NW", "SW", "N", "S"}
    assert game.moves_from("E") == {"l6", "NE", "SE", "N", "S"}
    game.refused("W-e6", "D14")
    assert besieged("Sa2 Sa4 SW Gc8").moves_from("W") >= {"e6", "e7"}
    assert besieged(f"{three_light} GW").moves_from("W") >= {"e6", "e7"}


@pytest.mark.rule("D14")
def test_third_soldier_closes_its_colour_for_life():
    game = besieged("Sa2 Sa4 SW Gc8 SE", white="Sp2")
    game.play("W-e6", "p2-o3", "e6-W", "pass")

    assert game.moves_from("W") == {"e6", "NW", "SW", "N", "S"}
    assert game.moves_from("E") == {"l6", "NE", "SE", "N", "S"}


@pytest.mark.rule("D14")
def test_soldier_gone_back_inside_still_counts_for_colour():
    game = besieged("Sa2 SW SE SN Gc8", white="Sp2")
    game.play("W-e6", "p2-o3", "e6-W", "pass", "E-l7", "o3-p2", "l7-m8", "pass", "N-E", "p2-o3")

    assert game.moves_from("E") == {"l6", "NE", "SE", "N", "S"}
    game.refused("E-l7", "D14")


@pytest.mark.rule("D15")
@pytest.mark.parametrize(("out", "other"), [("e6", "e7"), ("e7", "e6")])
def test_soldier_keeps_colour_of_first_square_for_life(out, other):
    game = besieged("SW Ga1", white="Sp2")
    assert {piece["bound"] for piece in game.view["pieces"]} == {None}

    game.play(f"W-{out}", "p2-o3", f"{out}-W", "pass")

    assert game.view["pieces"][0]["bound"] == ("light" if out == "e6" else "dark")
    game.refused(f"W-{other}", "D15")
    assert out in game.moves_from("W")


@pytest.mark.rule("D16")
def test_the_three_armies_have_three_colours():
    scene = VARIANT.scene(begun().view)

    assert Counter(piece.side for piece in scene.pieces) == {
        "garrison": 8,
        "white": 18,
        "black": 18,
    }


@pytest.mark.rule("D17", "DI1")
@pytest.mark.parametrize("wrong", ["GCSSSSS", "GGSSSSSS", "GCCSSSSS", "SSSSSSSS", "GCSSSSS" * 2])
def test_garrison_is_general_colonel_and_six_soldiers(wrong):
    assert ARMIES["garrison"] == {"G": 1, "C": 1, "S": 6}
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)

    with pytest.raises(IllegalDeployment) as refusal:
        VARIANT.apply(state, "garrison", wrong)

    assert refusal.value.rule == ("D18" if len(wrong) > 8 else "D17")


@pytest.mark.rule("D18")
def test_garrison_stands_in_any_of_56_ways():
    empty = VARIANT.begin(resolve_options(VARIANT, {}), 0)
    every = {"".join(codes) for codes in product("GCS", repeat=8)}
    right = {text for text in every if Counter(text) == {"G": 1, "C": 1, "S": 6}}

    assert set(VARIANT.legal(empty, "garrison") or ()) == right == set(PLACINGS)
    assert len(PLACINGS) == 56
    for text in PLACINGS:
        game = begun(text)
        assert [game.on(circle) for circle in CIRCLES] == [f"garrison {code}" for code in text]
    with pytest.raises(MalformedAction):
        VARIANT.apply(empty, "garrison", "GCSSSSe6")
    begun().refused("GCSSSSSS", "D18")
    with pytest.raises(IllegalDeployment) as refusal:
        VARIANT.apply(empty, "garrison", "W-e6")
    assert refusal.value.rule == "D18"
