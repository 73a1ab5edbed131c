"""Every option that keeps another reading of the rules available."""

import pytest

from engine.outcome import Termination
from engine.registry import find
from tests.unit.engine.positions import place

CLASSIC, GENERAL = find("classic"), find("general")
BOTH = pytest.mark.parametrize(("name", "rule"), [("classic", "B16"), ("general", "A31")])


def shuttle(game, times, here="d4d5", back="d5d4"):
    """Let red go to and fro while blue walks a circle."""
    circle = ["g7h7", "h7h8", "h8g8", "g8g7"]
    for number in range(times):
        game.play(back if number % 2 else here, circle[number % 4])


@BOTH
def test_a_limit_of_three_bars_the_fourth_move(name, rule):
    game = place(name, red="Fa1 7b4 7a2", blue="Fa8 7g7", shuttle_limit=3)

    shuttle(game, 3, "b4b5", "b5b4")

    game.refused("b5b4", rule)


@BOTH
def test_without_a_limit_a_piece_goes_on(name, rule):
    game = place(name, red="Fa1 7b4 7a2", blue="Fa8 7g7", shuttle_limit=None)

    shuttle(game, 8, "b4b5", "b5b4")

    assert "b4b5" in game.moves()


@BOTH
def test_moves_barred_by_the_limit_do_not_count_as_moves(name, rule):
    game = place(name, red="Fb1 Bb2 7a1", blue="Fa8 7g7", shuttle_limit=3)

    shuttle(game, 2, "a1a2", "a2a1")
    game.play("a1a2")

    assert game.result is None  # a3 is free
    walled = place(name, red="Fb1 Bb2 Ba3 7a1", blue="Fa8 7g7", shuttle_limit=3)
    shuttle(walled, 2, "a1a2", "a2a1")
    walled.play("a1a2")
    assert walled.ending == (Termination.NO_MOVES, {"red": 0.0, "blue": 1.0})


@BOTH
def test_a_scouts_series_counts_exact_squares_by_default(name, rule):
    game = place(name, red="Fa1 2e1 7a2", blue="Fa8 7g7", shuttle_limit=3)

    shuttle(game, 3, "e1e4", "e4e1")

    game.refused("e4e1", rule)
    assert {"e4e2", "e4e3", "e4e5"} <= game.moves()


@BOTH
def test_a_scouts_series_may_count_every_move_on_its_path(name, rule):
    game = place(name, red="Fa1 2e1 7a2", blue="Fa8 7g7", shuttle_limit=3, shuttle_scout="path")

    game.play("e1e5", "g7h7", "e5e2", "h7h8", "e2e4", "h8g8")

    for inside in ("e4e3", "e4e2"):
        game.refused(inside, rule)
    assert {"e4e1", "e4e5", "e4d4"} <= game.moves()


@pytest.mark.parametrize("game", [CLASSIC, GENERAL], ids=lambda variant: variant.slug)
@pytest.mark.parametrize(("rank", "winner"), [("7", "none"), ("3", "attacker")])
def test_a_bomb_may_go_together_with_what_ran_into_it(game, rank, winner):
    duel = place(game.slug, red=f"Fa1 7a2 {rank}b4", blue="Fa8 7g7 Bb5", bomb_survives=False)

    event = duel.play("b4b5")[0]

    assert (event.public["winner"], event.public["boom"]) == (winner, winner == "none")
    assert duel.on("b5") == ("red 3" if rank == "3" else None)


@pytest.mark.parametrize(("name", "rule"), [("classic", "BE5"), ("general", "AE5")])
def test_a_scout_may_be_kept_from_running_and_striking(name, rule):
    game = place(name, red="Fa1 2b3 2e3", blue="Fa8 7b6 7e4", scout_move_and_strike=False)

    game.refused("b3b6", rule)
    assert {"b3b5", "e3e4"} <= game.moves()


@pytest.mark.parametrize(
    ("immobile", "termination", "points"),
    [
        ("either", Termination.BOTH_IMMOBILE, {"red": 0.5, "blue": 0.5}),
        ("mover", Termination.NO_MOVES, {"red": 1.0, "blue": 0.0}),
    ],
)
def test_either_reading_of_who_must_be_able_to_move(immobile, termination, points):
    game = place("classic", red="Fa1 7b4", blue="Fa8 7b5", immobile=immobile)

    game.play("b4b5")

    assert game.ending == (termination, points)


def test_with_mover_a_player_without_pieces_may_still_be_saved_by_its_turn_never_coming():
    game = place("classic", red="Fa1 7b4", blue="Fa8 8b5 7g7", immobile="mover")

    game.play("b4b5")

    assert game.result is None
    game.play("g7g8")
    assert game.ending == (Termination.NO_MOVES, {"red": 0.0, "blue": 1.0})


@pytest.mark.parametrize("name", ["classic", "general"])
def test_the_views_may_forget_what_a_fight_has_told(name):
    game = place(name, red="Fa1 8b4 2h1", blue="Fa8 7b5 7g7", reveal_after_fight="forget")

    event = game.play("b4b5")[0].seen_by("blue")
    game.play("g7g8", "h1h4")

    view = game.variant.view(game.state, "blue")
    assert event["attacker"]["rank"] == "8"
    assert {p["rank"] for p in view["pieces"] if p["seat"] == "red"} == {None}
    assert not any(piece["revealed"] for piece in view["pieces"])
    assert view["captured"] == [{"id": "b2", "seat": "blue", "rank": "7"}]


def test_views_that_forget_hear_of_every_run_of_a_scout():
    game = place("general", red="Fa1 2h1 7a2", blue="Fa8 7b5 7g7", reveal_after_fight="forget")

    runs = [[event.kind for event in game.play("h1h4")]]
    game.play("g7g8")
    runs.append([event.kind for event in game.play("h4h1")])

    assert runs == [["moved", "revealed"]] * 2


@pytest.mark.parametrize("name", ["classic", "general"])
@pytest.mark.parametrize(
    ("options", "plies", "termination"),
    [
        ({"max_plies": 4, "no_attack_plies": None}, 4, Termination.PLY_CAP),
        ({"max_plies": None, "no_attack_plies": 3}, 3, Termination.NO_ATTACK_CAP),
    ],
)
def test_caps_draw(name, options, plies, termination):
    game = place(name, red="Fa1 7b4", blue="Fa8 7g7", **options)
    for move in ("b4b5", "g7h7", "b5b4", "h7g7")[:plies]:
        assert game.result is None
        game.play(move)

    assert game.ending == (termination, {"red": 0.5, "blue": 0.5})


def test_an_attack_starts_the_count_of_quiet_plies_anew():
    game = place("general", red="Fa1 8b4", blue="Fa8 7b6 7g7", no_attack_plies=3)

    game.play("b4b5", "g7g8", "b5b6")

    assert game.result is None
    assert game.variant.view(game.state, "red")["no_attack_plies"] == 0
