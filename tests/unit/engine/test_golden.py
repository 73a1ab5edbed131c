"""Golden games: they are played again and must come out the same."""

import pytest

from engine.registry import variants
from tests.unit.engine.golden import HEADER, golden_games, replayed

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
