"""The rules that `classic` has and `general` has not; the others are in `test_duels.py`."""

from collections import Counter

import pytest

from engine.variants.classic.rules import VARIANT
from tests.unit.engine.positions import Duel
from tests.unit.engine.sheets import SHEETS

SHEET = SHEETS["classic"]


@pytest.mark.rule("B15", "B20")
def test_nobody_enters_or_crosses_a_lake():
    game = SHEET.duel("Fa1 7c4 2d4 2b5", "Fj10 7j7 7d7")

    assert SHEET.view(game.state, "red")["board"]["lakes"] == [
        *("c5", "d5", "g5", "h5"),
        *("c6", "d6", "g6", "h6"),
    ]
    for wet in ("c4c5", "d4d5", "d4d7", "b5c5", "b5e5"):
        game.refused(wet, "B15")
    beside_lakes = {move for move in SHEET.duel("Fa1 2e5", "Fj10 7j7").moves() if move[3] == "5"}
    assert beside_lakes == {"e5f5"}


@pytest.mark.rule("B34")
def test_army_walled_in_by_bombs_loses_at_start():
    behind = Counter(SHEET.army) - Counter("BBBBBB" + "F" + "222")
    front = "BB" + "F2" + "BB" + "22" + "BB"
    state = SHEET.begin()
    VARIANT.apply(state, "red", "".join(behind.elements()) + front)

    events = VARIANT.apply(state, "blue", SHEET.army)

    assert [event.kind for event in events] == ["deployed", "deployed", "ended"]
    assert Duel(VARIANT, state).ending == ("no_moves", SHEET.wins("blue"))
