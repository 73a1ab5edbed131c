"""The pictures on the rule pages of general."""

from functools import partial

from engine.duel.diagrams import Diagrams, Sketch, cases, order, set_up, shuttle, sketched
from engine.duel.spec import DuelSpec

RED_SET_UP = "3BFB43424B37S8B327928472"


def diagrams(spec: DuelSpec) -> Diagrams:
    """Return the pictures by the names that the rule pages call them by."""
    step = Sketch(
        red="4d4 3c4",
        blue="?d5 ?f5",
        start="d4",
        window=("b3", "f6"),
    )
    scout = Sketch(
        red="2c3 8c1",
        blue="?c7",
        start="c3",
    )
    example = Sketch(
        red="Fc1 Bb1 Bd1 Bb2 3a1 4a2 3g8",
        blue="?h8 ?h7 9e1",
        start="g8",
    )
    return {
        "set-up": partial(set_up, spec, RED_SET_UP),
        "lakes": partial(sketched, spec, Sketch(), lakes="lakes_8x8"),
        "step": partial(sketched, spec, step),
        "scout": partial(sketched, spec, scout),
        "fights": partial(cases, spec, ("87", "47", "44", "2F", "S9", "9S", "9B", "3B")),
        "shuttle": partial(shuttle, 5, "7"),
        "order": partial(order, spec),
        "example": partial(sketched, spec, example),
    }
