"""The pictures on the rule page of skirmish."""

from functools import partial

from engine.duel.diagrams import Diagrams, Sketch, cases, order, set_up, shuttle, sketched
from engine.duel.spec import DuelSpec

RED_SET_UP = "632MFSB2"


def diagrams(spec: DuelSpec) -> Diagrams:
    """Return the pictures by the names that the rule page calls them by."""
    step = Sketch(red="6c3 3b3", blue="?c4 ?e5", start="c3")
    scout = Sketch(red="2b2 6b4", blue="?e2", start="b2")
    example = Sketch(red="6c3 Fe1 Bc2", blue="Se5 ?c5 2b5 ?c4 ?b4", start="c3")
    return {
        "set-up": partial(set_up, spec, RED_SET_UP),
        "step": partial(sketched, spec, step),
        "scout": partial(sketched, spec, scout),
        "fights": partial(cases, spec, ("63", "26", "66", "2F", "SM", "MS", "6B", "3B")),
        "shuttle": partial(shuttle, 5, "6"),
        "order": partial(order, spec),
        "example": partial(sketched, spec, example),
    }
