"""The readings and house rules of `general` that its sheet does not number (ids AE, AI, AX)."""

from typing import Any

import pytest

from engine.outcome import Termination
from engine.variants.general.rules import VARIANT
from tests.unit.engine.positions import Duel, place

CIRCLE = ("g7h7", "h7h8", "h8g8", "g8g7")  # what blue does meanwhile


def duel(red: str, blue: str, **options: Any) -> Duel:
    return place("general", red=red, blue=blue, **options)


def to_and_fro(game: Duel, times: int, here: str, back: str) -> None:
    for number in range(times):
        game.play(back if number % 2 else here, CIRCLE[number % 4])


@pytest.mark.rule("AX1")
def test_neither_side_with_a_move_is_a_draw():
    game = duel("Fa1 7b4", "Fa8 7b5")

    game.play("b4b5")

    assert game.ending == (Termination.BOTH_IMMOBILE, {"red": 0.5, "blue": 0.5})


@pytest.mark.parametrize(
    ("options", "plies", "termination"),
    [
        ({"max_plies": 4}, 4, Termination.PLY_CAP),
        ({"no_attack_plies": 3}, 3, Termination.NO_ATTACK_CAP),
    ],
)
@pytest.mark.rule("AX2", "AX3")
def test_long_games_are_drawn(options, plies, termination):
    game = duel("Fa1 7b4", "Fa8 7g7", **options)
    for move in ("b4b5", "g7h7", "b5b4", "h7g7")[:plies]:
        assert game.result is None
        game.play(move)

    assert game.ending == (termination, {"red": 0.5, "blue": 0.5})


@pytest.mark.rule("AX2", "AX3")
def test_how_long_is_said_by_the_options():
    limits = {key: VARIANT.options[key] for key in ("max_plies", "no_attack_plies")}

    assert {key: option.default for key, option in limits.items()} == {
        "max_plies": 2000,
        "no_attack_plies": 200,
    }
    assert all(option.allows(None) for option in limits.values())


@pytest.mark.rule("AE1")
def test_the_limit_may_be_three_or_none():
    strict = duel("Fa1 7b4 7a2", "Fa8 7g7", shuttle_limit=3)
    free = duel("Fa1 7b4 7a2", "Fa8 7g7", shuttle_limit=None)

    to_and_fro(strict, 3, "b4b5", "b5b4")
    to_and_fro(free, 8, "b4b5", "b5b4")

    strict.refused("b5b4", "A31")
    assert "b4b5" in free.moves()


@pytest.mark.rule("AE2")
def test_a_chase_may_be_kept_from_coming_back():
    chase = ("e4e5", "f5f6", "e5f5", "f6e6", "f5f6", "e6e5", "f6e6", "e5f5")
    ruled = duel("Fa1 8e4 7h1", "Fa8 7f5 7h8", chase_rule="isf", shuttle_limit=None)
    free = duel("Fa1 8e4 7h1", "Fa8 7f5 7h8", shuttle_limit=None)

    for game in (ruled, free):
        game.play(*chase)

    ruled.refused("e6e5", "AE2")
    assert "e6e5" in free.moves()


@pytest.mark.rule("AE3")
def test_a_scouts_series_may_count_every_move_within_its_last_path():
    game = duel("Fa1 2e1 7a2", "Fa8 7g7", shuttle_limit=3, shuttle_scout="path")

    game.play("e1e5", CIRCLE[0], "e5e2", CIRCLE[1], "e2e4", CIRCLE[2])

    game.refused("e4e3", "A31")
    assert {"e4e1", "e4e5", "e4d4"} <= game.moves()


@pytest.mark.rule("AE4")
@pytest.mark.parametrize(("rank", "left"), [("7", None), ("3", "red 3")])
def test_a_bomb_may_go_together_with_what_ran_into_it(rank, left):
    game = duel(f"Fa1 7a2 {rank}b4", "Fa8 7g7 Bb5", bomb_survives=False)

    game.play("b4b5")

    assert game.on("b5") == left


@pytest.mark.rule("AE5")
def test_a_scout_may_be_kept_from_running_and_striking():
    game = duel("Fa1 2b3 2e3", "Fa8 7b6 7e4", scout_move_and_strike=False)

    game.refused("b3b6", "AE5")
    assert {"b3b5", "e3e4"} <= game.moves()


@pytest.mark.rule("AE6")
def test_only_the_player_to_move_may_be_looked_at():
    game = duel("Fa1 7b4", "Fa8 8b5 7g7", immobile="mover")

    game.play("b4b5")

    assert game.result is None
    game.play("g7g8")
    assert game.ending == (Termination.NO_MOVES, {"red": 0.0, "blue": 1.0})


@pytest.mark.rule("AI1")
def test_a_barred_move_is_none():
    game = duel("Fb1 Bb2 Ba3 7a1", "Fa8 7g7", shuttle_limit=3)
    to_and_fro(game, 2, "a1a2", "a2a1")

    game.play("a1a2")

    assert game.ending == (Termination.NO_MOVES, {"red": 0.0, "blue": 1.0})


@pytest.mark.rule("AI2")
def test_an_attack_is_a_move_and_a_wall_of_friends_leaves_none():
    attacker = duel("Fa1 Bb1 3a2 Bb2", "7a3 Fg8 7h8")
    walled = duel("Fa1 Bb1 3a2 Bb2 Ba3 7e4", "8e5 Fg8 7h8", to_move="blue")

    walled.play("e5e4")

    assert attacker.moves() == {"a2a3"}
    assert walled.ending == (Termination.NO_MOVES, {"red": 0.0, "blue": 1.0})


@pytest.mark.rule("AI3")
@pytest.mark.parametrize(("run", "rank"), [("e1e2", None), ("e1e3", "2")])
def test_a_scout_that_runs_has_shown_what_it_is(run, rank):
    game = duel("Fa1 2e1", "Fa8 7g7")

    game.play(run)

    assert VARIANT.view(game.state, "blue")["pieces"][1]["rank"] == rank


@pytest.mark.rule("AI4")
@pytest.mark.parametrize(("reading", "rank"), [("known", "8"), ("forget", None)])
def test_ranks_that_were_told_stay_shown_or_not(reading, rank):
    game = duel("Fa1 8b4", "Fa8 7b5 7g7", reveal_after_fight=reading)

    game.play("b4b5")

    assert VARIANT.view(game.state, "blue")["pieces"][1]["rank"] == rank


@pytest.mark.rule("AI5")
def test_the_game_ends_at_once_when_either_player_has_no_move():
    own = duel("Fa1 7e4", "8e5 Fa8")
    other = duel("Fa1 8e4", "7e5 Fa8")

    own.play("e4e5")
    other.play("e4e5")

    assert own.ending == (Termination.NO_MOVES, {"red": 0.0, "blue": 1.0})
    assert other.ending == (Termination.NO_MOVES, {"red": 1.0, "blue": 0.0})
