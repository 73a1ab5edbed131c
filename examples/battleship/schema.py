"""What a bot reads and writes, as JSON Schema."""

from engine.schema import COUNT, TRUTH, Schema, list_of, object_of, one_of, wire, written

from .play import ENDINGS, SET_UP, SHOT
from .views import NAME
from .waters import FLEET, SEATS, SIZE, SQUARES

SEAT, SHIP, SQUARE = one_of(SEATS), one_of(tuple(FLEET)), one_of(SQUARES)
MAYBE_SHIP: Schema = {"anyOf": [SHIP, {"type": "null"}]}


def schema() -> Schema:
    """Describe the lines of a game."""
    return wire(
        variant=NAME,
        seats=SEATS,
        notation={
            "deploy": written(
                SET_UP.pattern,
                "For each ship of `fleet`, in its order: its first square, and whether it lies to"
                " the right of it (r) or up from it (u).",
                "a1r,c3u,e5r,h7u",
            ),
            "turn": written(SHOT.pattern, "The square shot at.", "d4"),
        },
        view=_view(),
        events=_events(),
        endings=ENDINGS,
    )


def _view() -> Schema:
    squares: Schema = {"anyOf": [list_of(SQUARE), {"type": "null"}]}
    waters = object_of(
        {
            "ships": object_of(dict.fromkeys(FLEET, squares)),
            "shots": list_of(object_of({"square": SQUARE, "ship": MAYBE_SHIP})),
            "sunk": list_of(SHIP),
        }
    )
    limit: Schema = {"type": ["integer", "null"], "minimum": 1}
    return object_of(
        {
            "variant": {"const": NAME},
            "observer": SEAT,
            "phase": one_of(("deploy", "turn", "over")),
            "ply": COUNT,
            "to_act": list_of(SEAT),
            "size": {"const": SIZE},
            "fleet": object_of({ship: {"const": length} for ship, length in FLEET.items()}),
            "seats": object_of(dict.fromkeys(SEATS, waters)),
            "limits": object_of({"max_plies": limit}),
        }
    )


def _events() -> list[Schema]:
    shot = {"seat": SEAT, "square": SQUARE}
    deployed = {"type": {"const": "deployed"}, "seat": SEAT, "deployment": {"type": "string"}}
    return [
        object_of(deployed, optional=("deployment",)),
        object_of({"type": {"const": "missed"}, **shot}),
        object_of({"type": {"const": "hit"}, **shot, "ship": SHIP, "sunk": TRUTH}),
    ]
