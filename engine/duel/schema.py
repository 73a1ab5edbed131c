"""What a bot reads in a duel, as JSON Schema."""

from engine.duel.board import FILES
from engine.duel.endings import ENDINGS
from engine.duel.spec import SEATS, DuelSpec
from engine.schema import COUNT, TEXT, TRUTH, Schema, list_of, object_of, one_of, wire, written

LIMIT: Schema = {"type": ["integer", "null"], "minimum": 0}


def schema(spec: DuelSpec) -> Schema:
    """Describe the lines of a duel: its squares, its ranks, its events."""
    seat, rank = one_of(SEATS), one_of(tuple(spec.army))
    square = {"type": "string", "pattern": "^[a-z][1-9][0-9]?$"}
    codes, last = "".join(spec.army), FILES[spec.files - 1]
    beyond = "".join(f"{rank}|" for rank in range(spec.ranks, 9, -1))
    home = len(spec.home)
    fighter = object_of({"id": TEXT, "rank": rank})
    deployed = {"type": {"const": "deployed"}, "seat": seat, "deployment": TEXT}
    moved = {"type": {"const": "moved"}, "seat": seat, "piece": TEXT, "from": square, "to": square}
    fought = {
        "type": {"const": "fought"},
        "seat": seat,
        "from": square,
        "to": square,
        "attacker": fighter,
        "defender": fighter,
        "winner": one_of(("attacker", "defender", "none")),
        "boom": TRUTH,
    }
    revealed = {"type": {"const": "revealed"}, "seat": seat, "piece": TEXT, "rank": rank}
    return wire(
        variant=spec.name,
        seats=SEATS,
        notation={
            "deploy": written(
                f"[{codes}]{{{home}}}",
                f"{home} rank codes: one for each square of `view.home`, in its order.",
                "".join(code * count for code, count in spec.army.items()),
            ),
            "turn": written(
                f"(?:[a-{last}](?:{beyond}[1-{min(spec.ranks, 9)}])){{2}}",
                "From which square to which. An attack goes to the enemy's square.",
                "a2a3",
            ),
        },
        view=_view(spec, seat, rank, square),
        events=[
            object_of(deployed, optional=("deployment",)),
            object_of(moved),
            object_of(fought),
            object_of(revealed),
        ],
        endings=ENDINGS,
        ranks=tuple(spec.army),
    )


def _view(spec: DuelSpec, seat: Schema, rank: Schema, square: Schema) -> Schema:
    piece = {
        "id": TEXT,
        "seat": seat,
        "square": square,
        "rank": {"anyOf": [rank, {"type": "null"}]},
        "moved": TRUTH,
        "revealed": TRUTH,
    }
    board = {
        "files": {"const": spec.files},
        "ranks": {"const": spec.ranks},
        "lakes": list_of(square),
    }
    last = object_of({"piece": TEXT, "from": square, "to": square, "repetition": COUNT})
    return object_of(
        {
            "variant": {"const": spec.name},
            "observer": seat,
            "phase": one_of(("deploy", "turn", "over")),
            "ply": COUNT,
            "to_act": list_of(seat),
            "board": object_of(board),
            "army": object_of({code: {"const": count} for code, count in spec.army.items()}),
            "pieces": list_of(object_of(piece)),
            "captured": list_of(object_of({"id": TEXT, "seat": seat, "rank": rank})),
            "no_attack_plies": COUNT,
            "last": object_of({name: {"anyOf": [last, {"type": "null"}]} for name in SEATS}),
            "limits": object_of(dict.fromkeys(("max_plies", "no_attack_plies", "shuttle"), LIMIT)),
            "home": list_of(square),
        },
        optional=("home",),
    )
