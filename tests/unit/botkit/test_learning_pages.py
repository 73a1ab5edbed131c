"""The pages about learning: their tables are those of the code, and their examples run."""

import re

import pytest

from botkit.learning import NumberBot, encoding_of
from engine.registry import find, resolve_options
from tests.tree import text
from tests.unit.engine.games import random_game
from tests.unit.meta.examples import fences

REFERENCE = "docs/reference/learning-environments.md"
TABLES = {"classic": "Duels: planes", "cards": "Cards: entries", "siege": "Siege: planes"}


def encoding(slug):
    variant = find(slug)
    state = variant.begin(resolve_options(variant, {}), 1)
    return encoding_of(variant.view(state, variant.seats[0]))


def rows(section):
    """Return the rows of the tables of a section, without their heads."""
    part = re.split(rf"^##+ {section}$", text(REFERENCE), flags=re.MULTILINE)[1]
    part = re.split(r"^#+ ", part, flags=re.MULTILINE)[0]
    found = re.findall(r"^\| (.+) \|$", part, re.MULTILINE)
    return [row.split(" | ") for row in found if not row.startswith("-")]


@pytest.mark.parametrize("slug", TABLES)
def test_fields_are_those_of_page_in_order(slug):
    shown = [(name, int(count)) for name, count, _ in rows(TABLES[slug])[1:]]

    assert shown == list(encoding(slug).fields.items())


def test_the_examples_run():
    shown = [
        fence for page in (REFERENCE, "docs/how-to/train-a-bot.md") for fence in fences(text(page))
    ]
    names: dict[str, object] = {"__name__": "example"}
    for language, content in shown:
        if language == "python":
            exec(content, names)

    bot = names["First"]
    assert isinstance(bot, type)
    assert issubclass(bot, NumberBot)
    variant = find("general")
    state, seat, _ = next(random_game(variant, 1))
    player = bot()
    variant.apply(state, seat, player.deploy(player.view_type(variant.view(state, seat))))
