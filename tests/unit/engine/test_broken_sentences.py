"""A sentence that either side reads otherwise is found out: the comparison can fail."""

import pytest

from engine.registry import variants
from tests.independent import general
from tests.independent.comparison import Disagreement, compare
from tests.independent.duel import Duel
from tests.independent.duelists import duel

OTHER_READINGS = {
    "A12, a scout goes two squares": {
        "targets": lambda self, start, piece: list(Duel.targets(self, start, piece))[:6]
    },
    "A13, nobody strikes from afar": {"may_strike": lambda self, steps: steps == 1},
    "A19, who attacks beats every rank": {
        "winner": lambda self, one, other: (
            "attacker" if other != "B" else Duel.winner(self, one, other)
        )
    },
    "A24, a bomb never stays": {
        "winner": lambda self, one, other: (
            None if other == "B" and one != "3" else Duel.winner(self, one, other)
        )
    },
    "A28, a spy is as good as a scout against a general": {
        "winner": lambda self, one, other: (
            "defender" if one + other == "S9" else Duel.winner(self, one, other)
        )
    },
    "A30, nobody is ever stuck": {
        "judge": lambda self: (
            None if (Duel.judge(self) or ("",))[0] == "no_moves" else Duel.judge(self)
        )
    },
    "A31, to and fro without end": {"shuttle": lambda self, seat, start, end: True},
    "a chase without end": {"may_chase": lambda self, seat, start, end: True},
}


@pytest.mark.parametrize("methods", OTHER_READINGS.values(), ids=OTHER_READINGS.keys())
def test_another_reading_of_a_sentence_is_found_out(methods):
    other = duel(general.GAME, type("Other", (Duel,), methods))

    with pytest.raises(Disagreement):
        compare(variants()["general"], other, range(150))
