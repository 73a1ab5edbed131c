"""The types of a game for TypeScript, and for comments in JavaScript that its compiler reads."""

import json

from botkit.wiretypes.shapes import (
    EVENT,
    EventShape,
    Kind,
    ListOf,
    MapOf,
    Maybe,
    Plain,
    Shape,
    Struct,
    Wire,
)

_PLAIN = {
    Kind.TEXT: "string",
    Kind.WHOLE: "number",
    Kind.NUMBER: "number",
    Kind.TRUTH: "boolean",
    Kind.ANY: "any",
}


def written(wire: Wire) -> str:
    """Return a declaration file."""
    interfaces = []
    for struct, name in wire.structs.items():
        fields = [
            f"  {field.key}{'?' if field.optional else ''}: {_type(field.shape, wire)};\n"
            for field in struct.fields
        ]
        interfaces.append(f"export interface {name} {{\n{''.join(fields)}}}\n")
    unions = [_union("Message", wire.read, wire), _union(EVENT, wire.events, wire)]
    head = (
        f"// {wire.title}: made from the schema of the game by `drapeau init`.\n"
        "// The protocol may grow: ignore keys and events that are not here.\n"
    )
    return "\n".join([head, *interfaces, *unions])


def _union(name: str, structs: tuple[Struct, ...], wire: Wire) -> str:
    return f"export type {name} = {' | '.join(wire.structs[struct] for struct in structs)};\n"


def _type(shape: Shape, wire: Wire) -> str:
    match shape:
        case Plain(kind, values):
            return " | ".join(map(json.dumps, values)) or _PLAIN[kind]
        case Maybe(of):
            return f"{_type(of, wire)} | null"
        case ListOf(of):
            inner = _type(of, wire)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case MapOf(of):
            return f"{{ [key: string]: {_type(of, wire)} }}"
        case EventShape():
            return EVENT
        case Struct():
            return wire.structs[shape]
