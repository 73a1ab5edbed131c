"""The rules that `general` has and `classic` has not; the others are in `test_duels.py`."""

import pytest

from engine.registry import find, resolve_options
from engine.seating import seatings
from engine.variants.general.rules import SPEC, VARIANT
from tests.unit.engine.sheets import SHEETS

SHEET = SHEETS["general"]


@pytest.mark.rule("A3")
def test_order_of_listed_army_decides_nothing():
    listed = list(SPEC.army)

    assert listed.index("9") < listed.index("S") < listed.index("B")
    assert SHEET.fight("9", "S")[1] == "attacker"
    assert SHEET.fight("9", "B")[1] == "defender"


@pytest.mark.rule("A5")
def test_lot_for_red_from_seed_or_switched_off():
    by_lot = resolve_options(VARIANT, {})
    fixed = resolve_options(VARIANT, {"red_by_lot": False})
    lots = [seatings(VARIANT, by_lot, seed, ("one", "two"))[0]["red"] for seed in range(40)]

    assert lots == [seatings(VARIANT, by_lot, seed, ("one", "two"))[0]["red"] for seed in range(40)]
    assert set(lots) == {"one", "two"}
    assert seatings(VARIANT, fixed, 1, ("one", "two"))[0] == {"red": "one", "blue": "two"}
    assert "red_by_lot" not in find("classic").options


@pytest.mark.rule("AX4")
def test_lakes_are_an_option():
    game = SHEET.duel("Fa1 7b4 2c3", "Fh8 7h7 2c6", lakes="lakes_8x8")

    assert SHEET.view(game.state, "public")["board"]["lakes"] == ["c4", "f4", "c5", "f5"]
    game.refused("b4c4", "AX4")
    game.refused("c3c6", "AX4")
    assert "c3c6" in SHEET.duel("Fa1 2c3", "Fh8 7h7 2c6").moves()
