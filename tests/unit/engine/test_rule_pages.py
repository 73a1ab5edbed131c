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
    HOUSE_RULES,
    LANGUAGES,
    SECTIONS,
    english,
    pages,
)

TRANSLATED = {"cards", "classic", "general", "siege"}
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


def test_the_four_games_are_explained_in_every_language():
    assert {slug for slug in variants() if rulebook.languages(slug) == LANGUAGES} >= TRANSLATED


@PAGES
def test_a_page_has_its_sections_in_order(page):
    expected = SECTIONS[page.language]

    assert len(page.sections) == len(expected)
    for title, allowed in zip(page.sections, expected, strict=True):
        assert title in allowed.split("|")
    levels = [level for level, _ in page.headings]
    assert levels == [level for level, _ in english(page.slug).headings]
    assert levels[0] == 1
    assert levels.count(1) == 1


@PAGES
def test_page_has_variant_pictures_each_with_caption(page):
    names = [name for name, _ in page.diagrams]
    captions = [caption for _, caption in page.diagrams]
    original = dict(english(page.slug).diagrams)

    assert sorted(names) == sorted(find(page.slug).diagrams)
    assert names == list(original)
    assert all(caption[:1].isupper() and caption.endswith(".") for caption in captions)
    if page.language != ENGLISH:
        assert set(captions) & set(original.values()) == set()


@PAGES
def test_the_examples_are_the_same_in_every_language(page):
    assert page.blocks == english(page.slug).blocks
    assert {kind for kind, _ in page.blocks} == {"json", "action"}


@pytest.mark.parametrize(("slug", "text"), MESSAGES)
def test_an_example_message_fits_the_schema(slug, text):
    schema, message = find(slug).schema(), json.loads(text)
    only = {**schema, "oneOf": [{"$ref": f"#/$defs/{kind_of(message, schema)}"}]}

    Draft202012Validator(only).validate(message)


@VARIANTS
def test_examples_show_act_answer_and_event(slug):
    schema = find(slug).schema()
    messages = [json.loads(text) for kind, text in english(slug).blocks if kind == "json"]

    assert {kind_of(message, schema) for message in messages} >= {"act", "answer", "event"}


@VARIANTS
def test_the_example_picture_shows_the_example_message(slug):
    variant = find(slug)
    act = next(
        message
        for kind, text in english(slug).blocks
        if kind == "json" and (message := json.loads(text)).get("type") == "act"
    )

    shown, drawn = variant.scene(act["view"]), variant.diagrams["example"]()

    assert {(p.x, p.y, p.side, p.face) for p in drawn.pieces} == {
        (p.x, p.y, p.side, p.face) for p in shown.pieces
    }
    assert {(cell.x, cell.y, cell.kind) for cell in drawn.cells} == {
        (cell.x, cell.y, cell.kind) for cell in shown.cells
    }


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


@PAGES
def test_house_rules_are_marked_wherever_they_stand(page):
    ledger = {sentence.id: sentence.kind for sentence in rulebook.ledger(page.slug)}

    assert page.house_rules == english(page.slug).house_rules
    assert len(HOUSE_RULES[page.language].findall(page.words)) == len(page.house_rules)
    named = {name for names in page.house_rules for name in names}
    assert named == {name for name, kind in ledger.items() if kind == "house"}
    assert all(page.house_rules)


@PAGES
def test_the_sentences_named_are_in_the_ledger(page):
    known = {sentence.id for sentence in rulebook.ledger(page.slug)}

    assert page.named_ids <= known
    assert page.named_ids == english(page.slug).named_ids
