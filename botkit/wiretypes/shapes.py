"""The schema of the wire as shapes with names, from which each language writes its types.

Texts that are one of several stay texts, because the protocol may grow: the shape only names them.
An object whose keys are ranks or seats is a map.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

EVENT = "Event"
READ = ("start", "act", "end")  # what a bot reads, and after it what it writes
WRITTEN = ("ready", "answer")
VALUES_SHOWN = 15
_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)


class Kind(Enum):
    """What a plain value is. `ANY` is JSON of which the schema says nothing."""

    TEXT = "text"
    WHOLE = "whole"
    NUMBER = "number"
    TRUTH = "truth"
    ANY = "any"


_KINDS = {
    "string": Kind.TEXT,
    "integer": Kind.WHOLE,
    "number": Kind.NUMBER,
    "boolean": Kind.TRUTH,
}


@dataclass(frozen=True, slots=True)
class Plain:
    """A value without parts; `values` are those that the schema names, if it does."""

    kind: Kind
    values: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class ListOf:
    of: "Shape"


@dataclass(frozen=True, slots=True)
class MapOf:
    """Values by text."""

    of: "Shape"


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value or null."""

    of: "Shape"


@dataclass(frozen=True, slots=True)
class EventShape:
    """Any of the events of the wire."""


@dataclass(frozen=True, slots=True)
class Field:
    """A key of an object. It can be missing if it is optional."""

    key: str
    shape: "Shape"
    optional: bool


@dataclass(frozen=True, slots=True)
class Struct:
    """An object with fixed keys. Two with the same fields are the same; `hints` suggest names."""

    fields: tuple[Field, ...]
    hints: tuple[str, ...] = field(compare=False)

    @property
    def tag(self) -> str:
        """The value of its key `type`; empty if it has none."""
        shapes = (member.shape for member in self.fields if member.key == "type")
        values = next((shape.values for shape in shapes if isinstance(shape, Plain)), ())
        return str(values[0]) if len(values) == 1 else ""


Shape = Plain | ListOf | MapOf | Maybe | EventShape | Struct


@dataclass(frozen=True, slots=True)
class Wire:
    """The lines of a game. `structs` have every part before what contains it, with its name."""

    title: str
    structs: Mapping[Struct, str]
    events: tuple[Struct, ...]
    read: tuple[Struct, ...]
    written: tuple[Struct, ...]


def wire(schema: Mapping[str, Any]) -> Wire:
    """Return the shapes of a schema that `engine.schema.wire` has made."""
    kinds = schema["$defs"]
    seats = frozenset(kinds["start"]["properties"]["seat"]["enum"])
    events = tuple(
        _struct(event, (camel(event["properties"]["type"]["const"]) + EVENT,), seats)
        for event in kinds["event"]["oneOf"]
    )
    read, written = (
        tuple(_struct(kinds[kind], (camel(kind),), seats) for kind in group)
        for group in (READ, WRITTEN)
    )
    structs = [struct for root in (*events, *read, *written) for struct in _inside(root)]
    # The name of a struct is its first hint, with its parent's if others want it too.
    distinct = list(dict.fromkeys(structs))
    names: dict[Struct, str] = {}
    for struct in distinct:
        first, *parents = struct.hints
        rivals = [rival for rival in distinct if rival.hints[0] == first and rival.hints[1:]]
        name = (parents[0] if parents and len(rivals) > 1 else "") + first
        same = [used for used in names.values() if used.rstrip("0123456789") == name]
        names[struct] = f"{name}{len(same) + 1}" if same else name
    return Wire(schema["title"], names, tuple(dict.fromkeys(events)), read, written)


def camel(key: str) -> str:
    """Return a key of JSON as the name of a type: `to_act` becomes `ToAct`."""
    return "".join(part.capitalize() for part in key.split("_"))


def _struct(schema: Mapping[str, Any], hints: tuple[str, ...], seats: frozenset[str]) -> Struct:
    required = schema.get("required", ())
    fields = (
        Field(key, _shape(part, (camel(key), *hints), seats), key not in required)
        for key, part in schema["properties"].items()
    )
    return Struct(tuple(fields), hints)


def _shape(schema: Mapping[str, Any], hints: tuple[str, ...], seats: frozenset[str]) -> Shape:
    """Return the shape of a value. `hints` are names for it: its key, and that of its parent."""
    if "const" in schema or "enum" in schema:
        return _choice(schema.get("enum", [schema.get("const")]))
    if several := schema.get("oneOf") or schema.get("anyOf"):
        # All have one shape, or it is JSON; null makes it a `Maybe`.
        all_of_them = [*several]
        rest = [schema for schema in all_of_them if schema.get("type") != "null"]
        common = _common([_shape(schema, hints, seats) for schema in rest])
        return common if len(rest) == len(all_of_them) else Maybe(common)
    match schema.get("type"):
        case [*kinds]:
            (other,) = (name for name in kinds if name != "null")
            shape: Shape = Maybe(_shape({**schema, "type": other}, hints, seats))
        case "array":
            shape = ListOf(_shape(schema["items"], _of_one(hints), seats))
        case "object":
            shape = _object(schema, hints, seats)
        case kind:
            shape = EventShape() if "$ref" in schema else Plain(_KINDS.get(str(kind), Kind.ANY))
    return shape


def _choice(values: list[Any]) -> Shape:
    """Return the shape of a value that is one of these."""
    named = tuple(value for value in values if value is not None)
    if any(isinstance(value, list) for value in named):
        return _common([ListOf(_common([_choice([item]) for item in value])) for value in named])
    kind = Kind.TEXT if all(isinstance(value, str) for value in named) else Kind.WHOLE
    shape = Plain(kind, named)
    return shape if len(named) == len(values) else Maybe(shape)


def _object(schema: Mapping[str, Any], hints: tuple[str, ...], seats: frozenset[str]) -> Shape:
    keys = schema.get("properties")
    if keys is None:
        of = schema.get("additionalProperties")
        return MapOf(_shape(of, _of_one(hints), seats) if of else Plain(Kind.ANY))
    if seats.issuperset(keys) or not all(map(_IDENTIFIER.fullmatch, keys)):
        return MapOf(_common([_shape(value, _of_one(hints), seats) for value in keys.values()]))
    return _struct(schema, hints, seats)


def _common(shapes: list[Shape]) -> Shape:
    """Return the one shape of all these, without the values that they name, or JSON."""
    if len(set(shapes)) == 1:
        return shapes[0]
    if shapes and all(isinstance(shape, ListOf) for shape in shapes):
        return ListOf(_common([shape.of for shape in shapes if isinstance(shape, ListOf)]))
    kinds = {shape.kind for shape in shapes if isinstance(shape, Plain)}
    all_plain = all(isinstance(shape, Plain) for shape in shapes)
    return Plain(kinds.pop()) if all_plain and len(kinds) == 1 else Plain(Kind.ANY)


def _of_one(hints: tuple[str, ...]) -> tuple[str, ...]:
    """Return the hints for one of several: `Pieces` has a `Piece`."""
    first = hints[0]
    return (first[:-1] if first.endswith("s") and not first.endswith("ss") else first, *hints[1:])


def values_of(shape: Shape) -> str:
    """Return the texts of which a value is one, or "" if there are none or too many for a line."""
    known = shape.of if isinstance(shape, Maybe) else shape
    if not isinstance(known, Plain) or known.kind is not Kind.TEXT:
        return ""
    return ", ".join(map(str, known.values)) if len(known.values) <= VALUES_SHOWN else ""


def _inside(shape: Shape) -> Iterator[Struct]:
    """Yield the structs in a shape, the inner ones first, and itself."""
    match shape:
        case ListOf(of) | MapOf(of) | Maybe(of):
            yield from _inside(of)
        case Struct(fields):
            for member in fields:
                yield from _inside(member.shape)
            yield shape
        case Plain() | EventShape():
            return
