"""The types of a game in other languages have what the schema of the game has, and follow it."""

import copy
import re

import pytest

from botkit.wiretypes import cpp, java, typescript
from botkit.wiretypes.shapes import wire
from engine.registry import variants

SCHEMA = variants()["general"].schema()


def changed(**properties):
    """Return the schema with further keys of an `act`, which are always there."""
    schema = copy.deepcopy(SCHEMA)
    act = schema["$defs"]["act"]
    act["properties"] |= properties
    act["required"] += properties
    return schema


def texts(schema):
    shapes = wire(schema)
    return [language.written(shapes) for language in (typescript, cpp, java)]


@pytest.mark.parametrize("slug", variants())
def test_struct_names_are_unique_without_missing_keys(slug):
    shapes = wire(variants()[slug].schema())

    assert len(set(shapes.structs.values())) == len(shapes.structs)
    assert {"Start", "Act", "End", "View"} <= set(shapes.structs.values())
    kinds = variants()[slug].schema()["$defs"]
    for struct in (*shapes.read, *shapes.written):
        described = kinds[shapes.structs[struct].lower()]
        assert [each.key for each in struct.fields] == [*described["properties"]]
        optional = {each.key for each in struct.fields if each.optional}
        assert optional == set(described["properties"]) - set(described["required"])
    assert [each.tag for each in shapes.events] == [
        each["properties"]["type"]["const"] for each in kinds["event"]["oneOf"]
    ]


@pytest.mark.parametrize(
    ("described", "expected"),
    [
        ({"type": "string"}, ("odd: string;", "std::string odd;", "String odd")),
        ({"type": "number"}, ("odd: number;", "double odd;", "double odd")),
        (
            {"type": ["integer", "null"]},
            ("odd: number | null;", "std::optional<long long> odd;", "Long odd"),
        ),
        (
            {"enum": ["a", "b", None]},
            (
                'odd: "a" | "b" | null;',
                "std::optional<std::string> odd;  // a, b",
                "String odd // a, b",
            ),
        ),
        (
            {"type": "object", "additionalProperties": {"type": "number"}},
            (
                "odd: { [key: string]: number };",
                "std::map<std::string, double> odd;",
                "Map<String, Double> odd",
            ),
        ),
    ],
)
def test_added_key_has_its_type_in_each_language(described, expected):
    for text, line in zip(texts(changed(odd=described)), expected, strict=True):
        assert re.search(rf"^ +{re.escape(line)}$", text, re.MULTILINE), line
    for text in texts(SCHEMA):
        assert " odd" not in text


def test_key_that_is_language_keyword_is_renamed():
    _typed, header, source = texts(changed(default={"type": "string"}))

    assert "    std::string default_;\n" in header
    assert 'field<std::string>(json, "default"),' in header
    assert "        String default_\n" in source
    assert 'get(json, "default", Json::text)' in source
