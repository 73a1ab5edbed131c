"""What a bot reads in a siege, as JSON Schema."""

from engine.schema import COUNT, TEXT, TRUTH, Schema, list_of, object_of, one_of, wire, written
from engine.variants.siege.army import ARMIES, CYCLE, GARRISON, IDS, RANK_NAMES, SEATS
from engine.variants.siege.board import CIRCLES, COLOURS, EXITS, NAMES
from engine.variants.siege.endings import ENDINGS
from engine.variants.siege.notation import MOVE, PASS
from engine.variants.siege.views import NAME, board

LIMIT: Schema = {"type": ["integer", "null"], "minimum": 0}
PIECE_ID = one_of(IDS)
SEAT = one_of(SEATS)
RANK = one_of(tuple(RANK_NAMES))
PLACE = one_of(NAMES)


def schema() -> Schema:
    """Describe the lines of a siege: its places, its pieces, its events."""
    fallen = object_of({"id": PIECE_ID, "seat": SEAT, "rank": RANK})
    move = {"seat": SEAT, "piece": PIECE_ID, "from": PLACE, "to": PLACE}
    asks = {"anyOf": [one_of(("any", *NAMES)), {"type": "null"}]}
    moved = {"enters": TRUTH, "demand": asks, "binds": TRUTH}
    turn = {"turn": one_of(tuple(range(len(CYCLE))))}
    garrison = "".join(ARMIES[SEATS[GARRISON]])
    return wire(
        variant=NAME,
        seats=SEATS,
        notation={
            "deploy": written(
                f"[{garrison}]{{{len(CIRCLES)}}}",
                f"A rank code for each of the circles {' '.join(CIRCLES)}.",
                "GCSSSSSS",
            ),
            "turn": written(
                f"{PASS}|{MOVE.pattern}",
                "From where to where. With ! it asks for a capture, with a place behind for that of"
                f" the piece there. {PASS}: a besieger has no move.",
                "c3-d4",
                "W-e6",
                "c3-d4!",
                "c3-d4!e5",
                PASS,
            ),
        },
        view=_view(),
        events=[
            object_of({"type": {"const": "deployed"}, "seat": SEAT, "deployment": TEXT}),
            object_of({"type": {"const": "moved"}, **move, **moved, **turn}),
            object_of({"type": {"const": "captured"}, **move, "taken": fallen, **turn}),
            object_of({"type": {"const": "passed"}, "seat": SEAT, **turn}),
        ],
        endings=ENDINGS,
    )


def _view() -> Schema:
    counted = object_of({"soldiers": COUNT, "officers": COUNT})
    fallen = object_of({"id": PIECE_ID, "seat": SEAT, "rank": RANK})
    bound = {"anyOf": [one_of(COLOURS), {"type": "null"}]}
    piece = object_of({"id": PIECE_ID, "seat": SEAT, "rank": RANK, "square": PLACE, "bound": bound})
    demand = object_of({"seat": SEAT, "asks": one_of(("any", *NAMES)), "binds": TRUTH})
    army = {
        seat: object_of({code: {"const": count} for code, count in pieces.items()})
        for seat, pieces in ARMIES.items()
    }
    # The board differs by its gates only.
    drawn = board(next(iter(EXITS)))
    fixed = {key: {"const": value} for key, value in drawn.items() if key != "gates"}
    squares = list_of(PLACE)
    gates = object_of(dict.fromkeys(CIRCLES, squares), optional=CIRCLES)
    return object_of(
        {
            "variant": {"const": NAME},
            "observer": SEAT,
            "phase": one_of(("deploy", "turn", "over")),
            "ply": COUNT,
            "to_act": list_of(SEAT),
            "board": object_of({**fixed, "gates": gates}),
            "army": object_of(army),
            "pieces": list_of(piece),
            "captured": list_of(fallen),
            "cycle": {"const": [SEATS[seat] for seat in CYCLE]},
            "turn": one_of(tuple(range(len(CYCLE)))),
            "demand": {"anyOf": [{"type": "null"}, demand]},
            "inside": counted,
            "taken": counted,
            "no_progress_plies": COUNT,
            "limits": object_of(dict.fromkeys(("max_plies", "no_progress_plies"), LIMIT)),
        }
    )
