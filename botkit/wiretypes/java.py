"""The types of a game for Java 17: records, and what reads them from the `Json` of the starter."""

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
    values_of,
)

_BOXED = {
    Kind.TEXT: "String",
    Kind.WHOLE: "Long",
    Kind.NUMBER: "Double",
    Kind.TRUTH: "Boolean",
    Kind.ANY: "Json",
}
_PRIMITIVE = {Kind.WHOLE: "long", Kind.NUMBER: "double", Kind.TRUTH: "boolean"}
_READERS = {
    Kind.TEXT: "Json::text",
    Kind.WHOLE: "Protocol::whole",
    Kind.NUMBER: "Json::number",
    Kind.TRUTH: "Json::isTrue",
    Kind.ANY: "Function.identity()",
}
_TAKEN = frozenset(
    [  # the keywords of Java 17, and methods of Object that no component of a record may hide
        "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class",
        "const", "continue", "default", "do", "double", "else", "enum", "extends", "final",
        "finally", "float", "for", "goto", "if", "implements", "import", "instanceof", "int",
        "interface", "long", "native", "new", "package", "private", "protected", "public",
        "return", "short", "static", "super", "switch", "synchronized", "this", "throw",
        "throws", "transient", "try", "void", "volatile", "while", "true", "false", "null",
        "clone", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait",
    ]
)  # fmt: skip
_HEAD = """\
// {title}: made from the schema of the game by `drapeau init`.
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The lines of the game. The protocol may grow: keys that are not here are ignored, and other
 * lines and events are an {{@code Other}}. What can be missing or null is null. A value that is not
 * as the schema says throws an exception.
 */
public final class Protocol {{
    private Protocol() {{}}

    public static Message read(Json json) {{
        return message(json);
    }}

    /** What this file has no type for. */
    public record Other(Json json) implements Message, Event {{}}
"""
_TAIL = """
    private static long whole(Json json) {
        return (long) json.number();
    }

    private static <T> T get(Json json, String key, Function<Json, T> reader) {
        if (!json.has(key)) {
            throw new IllegalArgumentException("there is no key " + key);
        }
        return reader.apply(json.get(key));
    }

    private static <T> T find(Json json, String key, Function<Json, T> reader) {
        return json.has(key) ? maybe(reader).apply(json.get(key)) : null;
    }

    private static <T> Function<Json, T> maybe(Function<Json, T> reader) {
        return json -> json.isNull() ? null : reader.apply(json);
    }

    private static <T> Function<Json, List<T>> list(Function<Json, T> reader) {
        return json -> json.items().stream().map(reader).toList();
    }

    private static <T> Function<Json, Map<String, T>> map(Function<Json, T> reader) {
        return json -> {
            var values = new LinkedHashMap<String, T>();
            json.fields().forEach((key, value) -> values.put(key, reader.apply(value)));
            return values;
        };
    }
}
"""


def written(wire: Wire) -> str:
    """Return a source file. Only what a bot reads is in it."""
    needed = [struct for struct in wire.structs if struct not in wire.written]
    parts = [
        _sealed("Message", wire.read, wire),
        _sealed(EVENT, wire.events, wire),
        *(_record(struct, wire) for struct in needed),
    ]
    return _HEAD.format(title=wire.title) + "\n" + "\n".join(parts) + _TAIL


def _sealed(name: str, structs: tuple[Struct, ...], wire: Wire) -> str:
    """Return an interface that is one of several by their tags, and what reads it."""
    cases = "".join(
        f'            case "{struct.tag}" -> {wire.structs[struct]}.read(json);\n'
        for struct in structs
    )
    names = [wire.structs[struct] for struct in structs]
    return (
        f"    public sealed interface {name} permits {', '.join([*names, 'Other'])} {{}}\n\n"
        f"    private static {name} {name.lower()}(Json json) {{\n"
        '        return switch (get(json, "type", Json::text)) {\n'
        f"{cases}            default -> new Other(json);\n        }};\n    }}\n"
    )


def _record(struct: Struct, wire: Wire) -> str:
    name = wire.structs[struct]
    parts, values = [], []
    for field in struct.fields:
        may_miss = field.optional or isinstance(field.shape, Maybe)
        inner = field.shape.of if isinstance(field.shape, Maybe) and field.optional else field.shape
        kind = _type(inner, wire) if may_miss else _plain_type(inner, wire)
        component = field.key + ("_" if field.key in _TAKEN else "")
        comma = "" if field == struct.fields[-1] else ","
        comment = f" // {known}" if (known := values_of(inner)) else ""
        parts.append(f"        {kind} {component}{comma}{comment}\n")
        get = "find" if field.optional else "get"
        values.append(f'                {get}(json, "{field.key}", {_reader(inner, wire)})')
    roles = [role for role, of in (("Message", wire.read), (EVENT, wire.events)) if struct in of]
    implements = f" implements {', '.join(roles)}" if roles else ""
    given = ",\n".join(values)
    return (
        f"    public record {name}(\n{''.join(parts)}    ){implements} {{\n"
        f"        static {name} read(Json json) {{\n"
        f"            return new {name}(\n{given});\n        }}\n    }}\n"
    )


def _plain_type(shape: Shape, wire: Wire) -> str:
    if isinstance(shape, Plain) and shape.kind in _PRIMITIVE:
        return _PRIMITIVE[shape.kind]
    return _type(shape, wire)


def _type(shape: Shape, wire: Wire) -> str:
    match shape:
        case Plain(kind):
            return _BOXED[kind]
        case Maybe(of):
            return _type(of, wire)
        case ListOf(of):
            return f"List<{_type(of, wire)}>"
        case MapOf(of):
            return f"Map<String, {_type(of, wire)}>"
        case EventShape():
            return EVENT
        case Struct():
            return wire.structs[shape]


def _reader(shape: Shape, wire: Wire) -> str:
    match shape:
        case Plain(kind):
            return _READERS[kind]
        case Maybe(of):
            return f"maybe({_reader(of, wire)})"
        case ListOf(of):
            return f"list({_reader(of, wire)})"
        case MapOf(of):
            return f"map({_reader(of, wire)})"
        case EventShape():
            return f"Protocol::{EVENT.lower()}"
        case Struct():
            return f"{wire.structs[shape]}::read"
