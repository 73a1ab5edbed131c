"""The types of a game in other languages have what the schema of the game has, and follow it."""

import copy
import re

import pytest

from botkit import wiretypes
from botkit.wiretypes import cpp, java, typescript
from botkit.wiretypes.shapes import Struct, wire
from engine.registry import variants

SCHEMA = variants()["general"].schema()
EVERY_GAME = pytest.mark.parametrize("slug", variants())


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


@EVERY_GAME
def test_game_has_types_in_each_supported_language(slug):
    made = {
        name: content.decode()
        for language in ("node", "cpp", "java", "python", "c")
        for name, content in wiretypes.files(slug, language).items()
    }

    assert sorted(made) == ["Protocol.java", "protocol.d.ts", "protocol.hpp"]
    title = variants()[slug].schema()["title"]
    for content in made.values():
        assert content.splitlines()[0].startswith(f"// {title}: ")


@EVERY_GAME
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
        ({"type": "integer"}, ("odd: number;", "long long odd;", "long odd")),
        ({"type": "number"}, ("odd: number;", "double odd;", "double odd")),
        ({"type": "boolean"}, ("odd: boolean;", "bool odd;", "boolean odd")),
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
            {"type": "array", "items": {"enum": [1, 2]}},
            ("odd: (1 | 2)[];", "std::vector<long long> odd;", "List<Long> odd"),
        ),
        (
            {"const": [["a"], []]},
            ("odd: any[][];", "std::vector<std::vector<Json>> odd;", "List<List<Json>> odd"),
        ),
        (
            {"type": "object", "additionalProperties": {"type": "number"}},
            (
                "odd: { [key: string]: number };",
                "std::map<std::string, double> odd;",
                "Map<String, Double> odd",
            ),
        ),
        (
            {"type": "object", "properties": {"9": {"const": 1}, "F": {"const": 2}}},
            (
                "odd: { [key: string]: number };",
                "std::map<std::string, long long> odd;",
                "Map<String, Long> odd",
            ),
        ),
        (
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            ("odd: any;", "Json odd;", "Json odd"),
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


@pytest.mark.parametrize(
    "word", ["inline", "mutable", "requires", "constexpr", "nullptr", "asm", "bitand", "co_await"]
)
def test_every_keyword_of_cpp_gets_another_name(word):
    _typed, header, _source = texts(changed(**{word: {"type": "string"}}))

    assert f"    std::string {word}_;\n" in header


def test_structs_of_same_name_are_named_after_parents():
    part = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    other = {"type": "object", "properties": {"y": {"type": "integer"}}, "required": ["y"]}
    one = {"type": "object", "properties": {"part": part}, "required": ["part"]}
    two = {"type": "object", "properties": {"part": other}, "required": ["part"]}

    names = set(wire(changed(one=one, two=two, three=one)).structs.values())

    assert {"One", "Two", "OnePart", "TwoPart"} <= names
    assert not {"Part", "Three", "ThreePart"} & names


def test_equal_structs_are_one():
    first, second = (Struct((), hints) for hints in (("A",), ("B",)))

    assert first == second
    assert len({first, second}) == 1
