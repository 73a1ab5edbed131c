"""Golden games and counts: they are played again and must come out the same."""

import json

import pytest

from engine.registry import variants
from tests.engine.golden import FOLDER, GAMES, counts, playthrough

EVERY = pytest.mark.parametrize("slug", variants())


@EVERY
@pytest.mark.parametrize("name", GAMES)
def test_a_golden_game_is_played_as_it_is_written(slug, name):
    written = (FOLDER / slug / "golden" / f"{name}.txt").read_text("utf-8")

    assert playthrough(variants()[slug], *GAMES[name]).splitlines() == written.splitlines()


@EVERY
def test_the_number_of_lines_of_play_is_as_it_is_written(slug):
    written = json.loads((FOLDER / slug / "golden" / "counts.json").read_text("utf-8"))

    assert counts(variants()[slug]) == written
