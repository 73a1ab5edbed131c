"""The types of a game for C++20, with what reads them from the `Json` of the starter."""

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

_PLAIN = {
    Kind.TEXT: "std::string",
    Kind.WHOLE: "long long",
    Kind.NUMBER: "double",
    Kind.TRUTH: "bool",
    Kind.ANY: "Json",
}
_KEYWORDS = frozenset(
    [  # of C++20
        "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
        "case", "catch", "char", "char8_t", "char16_t", "char32_t", "class", "compl", "concept",
        "const", "consteval", "constexpr", "constinit", "const_cast", "continue", "co_await",
        "co_return", "co_yield", "decltype", "default", "delete", "do", "double", "dynamic_cast",
        "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto",
        "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
        "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
        "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static",
        "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local",
        "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using",
        "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
    ]
)  # fmt: skip
_HEAD = """\
// {title}: made from the schema of the game by `drapeau init`.
// The protocol may grow: keys that are not here are ignored, other lines and events are `Other`.
// What is not as the schema says throws std::invalid_argument or std::out_of_range.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "json.hpp"

namespace protocol {{

struct Other {{
    Json json;
}};

inline const Json &expect(const Json &json, Json::Kind kind) {{
    if (json.kind != kind)
        throw std::invalid_argument("a value of another kind than the schema says");
    return json;
}}

template <class T> struct Reader {{
    static T read(const Json &json) {{ return T::read(expect(json, Json::Kind::object)); }}
}};
template <> struct Reader<Json> {{
    static Json read(const Json &json) {{ return json; }}
}};
template <> struct Reader<std::string> {{
    static std::string read(const Json &json) {{ return expect(json, Json::Kind::text).text; }}
}};
template <> struct Reader<long long> {{
    static long long read(const Json &json) {{
        return static_cast<long long>(expect(json, Json::Kind::number).number);
    }}
}};
template <> struct Reader<double> {{
    static double read(const Json &json) {{ return expect(json, Json::Kind::number).number; }}
}};
template <> struct Reader<bool> {{
    static bool read(const Json &json) {{ return expect(json, Json::Kind::boolean).boolean; }}
}};
template <class T> struct Reader<std::optional<T>> {{
    static std::optional<T> read(const Json &json) {{
        if (json.kind == Json::Kind::null)
            return std::nullopt;
        return Reader<T>::read(json);
    }}
}};
template <class T> struct Reader<std::vector<T>> {{
    static std::vector<T> read(const Json &json) {{
        std::vector<T> items;
        for (const Json &each : expect(json, Json::Kind::list).items)
            items.push_back(Reader<T>::read(each));
        return items;
    }}
}};
template <class T> struct Reader<std::map<std::string, T>> {{
    static std::map<std::string, T> read(const Json &json) {{
        std::map<std::string, T> values;
        for (std::size_t index = 0; index < expect(json, Json::Kind::object).keys.size(); index++)
            values.emplace(json.keys[index], Reader<T>::read(json.items[index]));
        return values;
    }}
}};

template <class T> T field(const Json &json, const char *key) {{
    return Reader<T>::read(json[key]);
}}
template <class T> std::optional<T> maybe(const Json &json, const char *key) {{
    const Json *value = json.find(key);
    return value ? Reader<std::optional<T>>::read(*value) : std::nullopt;
}}
"""
_TAIL = """
inline Message read(const Json &json) { return Reader<Message>::read(json); }

}  // namespace protocol
"""


def written(wire: Wire) -> str:
    """Return a header. Only what a bot reads is in it."""
    needed = [struct for struct in wire.structs if struct not in wire.written]
    events = [struct for struct in needed if struct in wire.events]
    others = [struct for struct in needed if struct not in (*wire.events, *wire.read)]
    parts = [
        *(_struct(struct, wire) for struct in others),
        *(_struct(event, wire) for event in events),
        _variant(EVENT, wire.events, wire),
        *(_struct(struct, wire) for struct in wire.read),
        _variant("Message", wire.read, wire),
    ]
    return _HEAD.format(title=wire.title) + "\n" + "\n".join(parts) + _TAIL


def _struct(struct: Struct, wire: Wire) -> str:
    declared, values = [], []
    for field in struct.fields:
        name = field.key + ("_" if field.key in _KEYWORDS else "")
        inner = field.shape.of if isinstance(field.shape, Maybe) and field.optional else field.shape
        kind = _type(inner, wire)
        whole = f"std::optional<{kind}>" if field.optional else kind
        comment = f"  // {known}" if (known := values_of(inner)) else ""
        declared.append(f"    {whole} {name};{comment}\n")
        get = "maybe" if field.optional else "field"
        values.append(f'            {get}<{kind}>(json, "{field.key}"),\n')
    name = wire.structs[struct]
    return (
        f"struct {name} {{\n{''.join(declared)}\n"
        f"    static {name} read(const Json &json) {{\n"
        f"        return {{\n{''.join(values)}        }};\n    }}\n}};\n"
    )


def _variant(name: str, structs: tuple[Struct, ...], wire: Wire) -> str:
    """Return a type that is one of several by their tags, and what reads it."""
    names = [wire.structs[struct] for struct in structs]
    cases = [
        f'        if (type == "{struct.tag}")\n            return Reader<{name_of}>::read(json);\n'
        for struct, name_of in zip(structs, names, strict=True)
    ]
    return (
        f"using {name} = std::variant<{', '.join([*names, 'Other'])}>;\n"
        f"template <> struct Reader<{name}> {{\n"
        f"    static {name} read(const Json &json) {{\n"
        '        const std::string type = field<std::string>(json, "type");\n'
        f"{''.join(cases)}"
        "        return Other{json};\n    }\n};\n"
    )


def _type(shape: Shape, wire: Wire) -> str:
    match shape:
        case Plain(kind):
            return _PLAIN[kind]
        case Maybe(of):
            return f"std::optional<{_type(of, wire)}>"
        case ListOf(of):
            return f"std::vector<{_type(of, wire)}>"
        case MapOf(of):
            return f"std::map<std::string, {_type(of, wire)}>"
        case EventShape():
            return EVENT
        case Struct():
            return wire.structs[shape]
