"""Messages of the platform, on a board of three files and four ranks."""

import json

CLOCK = {
    "startup_ms": 10000,
    "bank_ms": 60000,
    "increment_ms": 100,
    "action_ms": 5000,
    "basis": "cpu",
}
PIECES = [
    ("r1", "red", "a1", "F", False, False),
    ("r2", "red", "b1", "2", False, False),
    ("r3", "red", "c1", "4", True, True),
    ("b2", "blue", "b4", None, False, False),
    ("b3", "blue", "c4", "4", True, True),
]


def start_message(*, seat: str = "red", rng_seed: int = 1) -> dict[str, object]:
    return {
        "type": "start",
        "protocol": 1,
        "variant": "classic@1",
        "options": {},
        "seat": seat,
        "rng_seed": rng_seed,
        "game": "g",
        "clock": CLOCK,
        "limits": {"memory_bytes": 1000},
    }


def view_json(phase: str = "turn", *, seat: str = "red", quiet: int = 0) -> dict[str, object]:
    keys = ("id", "seat", "square", "rank", "moved", "revealed")
    return {
        "variant": "classic@1",
        "observer": seat,
        "phase": phase,
        "ply": 3,
        "to_act": [seat],
        "board": {"files": 3, "ranks": 4, "lakes": ["b3"]},
        "army": {"F": 1, "2": 1, "4": 1},
        "pieces": [dict(zip(keys, piece, strict=True)) for piece in PIECES],
        "captured": [{"id": "b1", "seat": "blue", "rank": "F"}],
        "no_attack_plies": quiet,
        "last": {
            "red": {"piece": "r3", "from": "a3", "to": "c1", "repetition": 2},
            "blue": None,
        },
        "limits": {"max_plies": 2000, "no_attack_plies": 200, "shuttle": 5},
    }


def act_message(
    phase: str,
    *,
    legal: list[str] | None = None,
    home: list[str] | None = None,
    events: list[dict[str, object]] | None = None,
    quiet: int = 0,
) -> dict[str, object]:
    message: dict[str, object] = {
        "type": "act",
        "ply": 3,
        "phase": phase,
        "view": {**view_json(phase, quiet=quiet), "home": home},
        "events": events or [],
        "clock": {"bank_ms": 59000, "used_ms": 1000},
    }
    return message if legal is None else {**message, "legal": legal}


def end_message() -> dict[str, object]:
    return {
        "type": "end",
        "outcome": {"red": 1, "blue": 0},
        "termination": "flag_captured",
        "fault": None,
        "events": [{"type": "ended", "termination": "flag_captured"}],
        "view": view_json("over"),
    }


def line(message: dict[str, object]) -> bytes:
    return json.dumps(message).encode() + b"\n"
