"""The pictures on the rule pages of classic."""

from functools import partial

from engine.duel.diagrams import Diagrams, Sketch, cases, order, set_up, shuttle, sketched
from engine.duel.spec import DuelSpec

RED_SET_UP = "32BFB342B34B5B4523B476S83267562962M28527"


def diagrams(spec: DuelSpec) -> Diagrams:
    """Return the pictures by the names that the rule pages call them by."""
    step = Sketch(
        red="4f6 3d7",
        blue="?f7 ?h8",
        start="f6",
        window=("d5", "h8"),
    )
    scout = Sketch(
        red="2g3 8g1",
        blue="?c3",
        start="g3",
        window=("a1", "j6"),
    )
    example = Sketch(
        red="?b1 Bc1 ?d1 ?b2 ?d2 ?i4 9f5 ?f8",
        blue="Fe10 Be9 Bf9 Bg10 Ba10 Bj10 Bi9 3f10 3e1",
        start="e1",
    )
    return {
        "set-up": partial(set_up, spec, RED_SET_UP),
        "step": partial(sketched, spec, step),
        "scout": partial(sketched, spec, scout),
        "fights": partial(cases, spec, ("75", "46", "66", "2F", "SM", "MS", "9B", "3B")),
        "shuttle": partial(shuttle, 5, "7"),
        "order": partial(order, spec),
        "example": partial(sketched, spec, example),
    }
