"""Golden games and counts: they are played again and must come out the same."""

import json

import pytest

from engine.registry import variants
from tests.unit.engine.games import folder_of
from tests.unit.engine.golden import HEADER, counts, golden_games, replayed

GAMES = [
    pytest.param(game, id=f"{slug}-{game.stem}")
    for slug in variants()
    for game in golden_games(slug)
]


@pytest.mark.parametrize("game", GAMES)
def test_golden_game_is_played_as_written(game):
    assert replayed(game).splitlines() == game.read_text("utf-8").splitlines()


@pytest.mark.parametrize("slug", variants())
def test_every_variant_has_golden_games_under_its_name(slug):
    games = golden_games(slug)

    assert len(games) >= 2
    for game in games:
        first = HEADER.fullmatch(game.read_text("utf-8").splitlines()[0])
        assert first
        assert first["name"] == variants()[slug].name


@pytest.mark.parametrize("slug", variants())
def test_number_of_lines_of_play_is_as_written(slug):
    written = json.loads((folder_of(slug) / "golden" / "counts.json").read_text("utf-8"))

    assert counts(variants()[slug]) == written
