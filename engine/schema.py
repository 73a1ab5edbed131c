"""The lines of the wire as a JSON Schema (draft 2020-12), for authors in any language."""

from collections.abc import Mapping
from typing import Any

from engine.protocol import PROTOCOL

DRAFT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]

WHOLE: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
TEXT: Schema = {"type": "string"}
TRUTH: Schema = {"type": "boolean"}


def closed(properties: Mapping[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    """Describe an object that has these keys and no others; all but `optional` are always there."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [key for key in properties if key not in optional],
        "additionalProperties": False,
    }


def one_of(values: tuple[Any, ...]) -> Schema:
    """Describe a value that is one of these."""
    return {"enum": list(values)}


def list_of(items: Schema) -> Schema:
    """Describe a list."""
    return {"type": "array", "items": items}


def written(pattern: str, said: str, *examples: str) -> Schema:
    """Describe actions that are one text of this pattern, in words and by example."""
    return {**TEXT, "pattern": f"^(?:{pattern})$", "description": said, "examples": [*examples]}


def wire(
    *,
    variant: str,
    seats: tuple[str, ...],
    notation: Mapping[str, Schema],
    view: Schema,
    event: Schema,
) -> Schema:
    """Describe every line of protocol 1 for one variant.

    `notation` has for every phase how its actions are written. `$defs` holds `start`, `act` and
    `end`, which a bot reads, and `ready` and `answer`, which it writes; the document itself admits
    any of the five. Beside them are `event`, one of the events in an `act`, and as `action_<phase>`
    the notation: text that is none is a line of the wire all the same, and an illegal action.
    """
    kinds = {
        "start": _start(variant, seats),
        "act": _act(tuple(notation), view),
        "end": _end(),
        "ready": closed({"type": {"const": "ready"}, "legal": TRUTH}, optional=("legal",)),
        "answer": closed({"action": TEXT, "note": TEXT, "belief": {}}, optional=("note", "belief")),
    }
    return {
        "$schema": DRAFT,
        "title": f"{variant}, protocol {PROTOCOL}",
        "oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in kinds],
        "$defs": {
            **kinds,
            "event": event,
            **{f"action_{phase}": action for phase, action in notation.items()},
        },
    }


def answer_in(schema: Schema, phase: str) -> Schema:
    """Return what the wire described by `schema` expects as the answer in one phase."""
    kinds = schema["$defs"]
    action = {"action": kinds[f"action_{phase}"]}
    return {**kinds["answer"], "properties": {**kinds["answer"]["properties"], **action}}


def _start(variant: str, seats: tuple[str, ...]) -> Schema:
    limits = ("startup_ms", "bank_ms", "increment_ms", "action_ms")
    return closed(
        {
            "type": {"const": "start"},
            "protocol": {"const": PROTOCOL},
            "variant": {"const": variant},
            "options": {"type": "object"},
            "seat": one_of(seats),
            "rng_seed": WHOLE,
            "game": TEXT,
            "clock": closed(dict.fromkeys(limits, COUNT)),
        }
    )


def _act(phases: tuple[str, ...], view: Schema) -> Schema:
    return closed(
        {
            "type": {"const": "act"},
            "ply": COUNT,
            "phase": one_of(phases),
            "view": view,
            "events": list_of({"$ref": "#/$defs/event"}),
            "legal": list_of(TEXT),
            "clock": closed({"bank_ms": WHOLE, "used_ms": COUNT}),
        },
        optional=("legal",),
    )


def _end() -> Schema:
    points = {"type": ["object", "null"], "additionalProperties": {"type": "number"}}
    return closed({"type": {"const": "end"}, "outcome": points, "termination": TEXT})
