"""The rule pages say what the engine does, and the same in every language."""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from arena.domain.variants import rulebook
from engine.errors import EngineError, MalformedAction
from engine.registry import find, variants
from tests.unit.engine.games import random_game
from tests.unit.engine.rulepages import (
    ENGLISH,
    HOUSE_RULE,
    LANGUAGES,
    english,
    pages,
)

PAGES = pytest.mark.parametrize(
    "page", [pytest.param(page, id=f"{page.slug}-{page.language}") for page in pages()]
)
VARIANTS = pytest.mark.parametrize("slug", variants())
MESSAGES = [
    pytest.param(slug, text, id=f"{slug}-{number}")
    for slug in variants()
    for number, (kind, text) in enumerate(english(slug).blocks)
    if kind == "json"
]
ACTIONS = [
    pytest.param(slug, line, id=f"{slug}-{line}")
    for slug in variants()
    for kind, text in english(slug).blocks
    if kind == "action"
    for line in text.splitlines()
]


def kind_of(message, schema):
    """Name the part of a schema that a message on a page is an example of."""
    kind = message.get("type", "answer")
    return kind if kind in schema["$defs"] else "event"


def event_kinds(schema):
    return {event["properties"]["type"]["const"] for event in schema["$defs"]["event"]["oneOf"]}


def is_notation(variant, action):
    """Return whether some phase of a few random games takes the action for one of its own."""
    for rng_seed in range(5):
        phases = set()
        for state, seat, _ in random_game(variant, rng_seed):
            if not seat or variant.phase(state) in phases:
                continue
            phases.add(variant.phase(state))
            try:
                variant.apply(variant.copy(state), seat, action)
            except MalformedAction:
                continue
            except EngineError:
                pass
            return True
    return False


@VARIANTS
def test_variant_is_explained_in_every_language_or_english(slug):
    assert rulebook.languages(slug) in (LANGUAGES, (ENGLISH,))


@PAGES
def test_the_examples_are_the_same_in_every_language(page):
    assert page.blocks == english(page.slug).blocks
    assert {kind for kind, _ in page.blocks} == {"json", "action"}


@pytest.mark.parametrize(("slug", "text"), MESSAGES)
def test_an_example_message_fits_the_schema(slug, text):
    schema, message = find(slug).schema(), json.loads(text)
    only = {**schema, "oneOf": [{"$ref": f"#/$defs/{kind_of(message, schema)}"}]}

    Draft202012Validator(only).validate(message)


@pytest.mark.parametrize(("slug", "action"), ACTIONS)
def test_an_example_action_is_notation(slug, action):
    assert is_notation(find(slug), action)


@PAGES
def test_protocol_has_row_for_every_key_and_event(page):
    schema = find(page.slug).schema()
    keys = schema["$defs"]["act"]["properties"]["view"]["properties"].keys()
    rows = re.findall(r"^\| `(\w+)` \|", page.section(5), re.MULTILINE)

    assert sorted(rows) == sorted([*keys, *event_kinds(schema)])


@PAGES
def test_a_page_names_every_option_and_value(page):
    options, rows = find(page.slug).options, page.options

    assert list(rows) == list(options)
    for key, option in options.items():
        values, meaning = rows[key]
        written = [
            value if isinstance(value, str) else json.dumps(value) for value in option.allowed
        ]
        assert [value.strip("`") for value in values[: len(written)]] == written
        assert len(values) - len(written) == (option.least is not None)
        if option.doc.startswith("house rule"):
            assert meaning.strip().startswith(f"**{HOUSE_RULE[page.language]}**")
