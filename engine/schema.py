"""The lines of the wire as a JSON Schema (draft 2020-12), for authors in any language."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.outcome import RESIGN, Termination
from engine.protocol import PROTOCOL

DRAFT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]

WHOLE: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
TEXT: Schema = {"type": "string"}
TRUTH: Schema = {"type": "boolean"}
LIMITS = (
    *("line_bytes", "stderr_bytes", "memory_bytes", "address_space_bytes", "threads", "cores"),
    *("cpu_s", "scratch_bytes", "file_bytes"),
)
NUMBER: Schema = {"type": "number"}


def object_of(properties: Mapping[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    """Describe an object with these keys; all but `optional` are always there.

    Further keys are allowed, as the protocol may grow: readers ignore what they do not know.
    """
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [key for key in properties if key not in optional],
    }


def one_of(values: tuple[Any, ...]) -> Schema:
    """Describe a value that is one of these."""
    return {"enum": list(values)}


def list_of(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def written(pattern: str, description: str, *examples: str) -> Schema:
    """Describe actions that are one text of this pattern, or a resignation."""
    description += f" {RESIGN}: give the game up."
    pattern = f"^(?:{pattern}|{RESIGN})$"
    return {**TEXT, "pattern": pattern, "description": description, "examples": [*examples]}


def wire(  # noqa: PLR0913 - each is a part of the wire
    *,
    variant: str,
    seats: tuple[str, ...],
    notation: Mapping[str, Schema],
    view: Schema,
    events: Sequence[Schema],
    endings: Iterable[str],
    ranks: tuple[str, ...] = (),
) -> Schema:
    """Describe every line of protocol 1 for one variant.

    `notation` has for every phase how its actions are written, `events` all kinds but those that
    end every game, `endings` the words for how the rules end it, `ranks` what a piece may be in a
    belief: without any there are no beliefs.
    `$defs` holds `start`, `act` and `end`, which a bot reads, and `ready` and `answer`, which it
    writes; the document itself admits any of the five. Beside them are `event`, one of the events
    in a line, and as `action_<phase>` the notation: text that is none is a line of the wire all the
    same, and an illegal action.
    """
    points: Schema = {"type": "object", "additionalProperties": NUMBER}
    wants = object_of(
        {"legal": TRUTH, "view": one_of(("full", "first"))}, optional=("legal", "view")
    )
    kinds = {
        "start": _start(variant, seats),
        "act": _act(tuple(notation), view),
        "end": _end(seats, view, endings),
        "ready": object_of(
            {"type": {"const": "ready"}, "name": TEXT, "version": TEXT, "wants": wants},
            optional=("name", "version", "wants"),
        ),
        "answer": object_of(
            {"action": TEXT, "note": TEXT, "belief": _belief(ranks)}, optional=("note", "belief")
        ),
    }
    return {
        "$schema": DRAFT,
        "title": f"{variant}, protocol {PROTOCOL}",
        "oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in kinds],
        "$defs": {
            **kinds,
            "event": {
                "oneOf": [
                    *events,
                    object_of({"type": {"const": "resigned"}, "seat": one_of(seats)}),
                    object_of({"type": {"const": "ended"}, "points": points, "termination": TEXT}),
                ]
            },
            **{f"action_{phase}": action for phase, action in notation.items()},
        },
    }


def _belief(ranks: tuple[str, ...]) -> Schema:
    """Describe a belief; which pieces it may name depends on the view. Any other is dropped."""
    chance: Schema = {"type": "number", "minimum": 0, "maximum": 1}
    chances: Schema = {
        "type": "object",
        "propertyNames": one_of(ranks),
        "additionalProperties": chance,
    }
    pieces: Schema = {"additionalProperties": chances} if ranks else {"maxProperties": 0}
    description = (
        "For ids of pieces that the view hides, the probability of each rank; at most 1 in all."
    )
    return {
        "type": "object",
        "description": description if ranks else "There are no beliefs.",
        **pieces,
    }


def answer_in(schema: Schema, phase: str) -> Schema:
    """Return what the wire described by `schema` expects as the answer in one phase."""
    kinds = schema["$defs"]
    action = {"action": kinds[f"action_{phase}"]}
    return {**kinds["answer"], "properties": {**kinds["answer"]["properties"], **action}}


def _start(variant: str, seats: tuple[str, ...]) -> Schema:
    clock = dict.fromkeys(("startup_ms", "bank_ms", "increment_ms", "action_ms"), COUNT)
    return object_of(
        {
            "type": {"const": "start"},
            "protocol": {"const": PROTOCOL},
            "variant": {"const": variant},
            "options": {"type": "object"},
            "seat": one_of(seats),
            "rng_seed": WHOLE,
            "game": TEXT,
            "clock": object_of({**clock, "basis": one_of(("cpu", "wall"))}),
            "limits": object_of(dict.fromkeys(LIMITS, COUNT), optional=LIMITS),
        }
    )


def _act(phases: tuple[str, ...], view: Schema) -> Schema:
    return object_of(
        {
            "type": {"const": "act"},
            "ply": COUNT,
            "phase": one_of(phases),
            "view": view,
            "events": list_of({"$ref": "#/$defs/event"}),
            "legal": list_of(TEXT),
            "clock": object_of({"bank_ms": WHOLE, "used_ms": COUNT}),
        },
        optional=("view", "legal"),
    )


def _end(seats: tuple[str, ...], view: Schema, endings: Iterable[str]) -> Schema:
    return object_of(
        {
            "type": {"const": "end"},
            "outcome": {"type": ["object", "null"], "additionalProperties": NUMBER},
            "termination": one_of((*endings, *map(str, Termination))),
            "fault": one_of((*seats, None)),
            "events": list_of({"$ref": "#/$defs/event"}),
            "view": view,
            "detail": TEXT,
        },
        optional=("detail",),
    )
