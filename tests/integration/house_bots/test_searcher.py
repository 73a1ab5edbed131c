"""The bot of the page about worlds plays, and its search is worth something."""

import runpy
import sys

import pytest

from tests.integration.house_bots.house import play_game
from tests.tree import text
from tests.unit.meta.examples import fences

PAGE = "docs/how-to/look-ahead-in-worlds.md"
PAIRS = 3


@pytest.fixture(scope="module")
def searcher(tmp_path_factory):
    """Return the bot that the page shows, as its readers have it."""
    file = tmp_path_factory.mktemp("searcher") / "bot.py"
    (code,) = [content for language, content in fences(text(PAGE)) if language == "python"]
    file.write_text(code)
    return runpy.run_path(str(file), run_name="searcher")["Searcher"]


def test_searcher_gets_most_points_against_weakest_house_bot(searcher):
    got = 0.0
    for rng_seed in range(PAIRS):
        for seat, two in (("red", (searcher, "drunkard")), ("blue", ("drunkard", searcher))):
            record, _ = play_game("general", two[0], two[1], rng_seed)
            got += (record.result.points or {})[seat]
    sys.stdout.write(f"searcher: {got} of {2 * PAIRS} points\n")

    assert got >= 0.75 * 2 * PAIRS
