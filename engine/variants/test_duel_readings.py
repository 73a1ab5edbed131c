"""Readings and house rules of both sheets that no sheet numbers (ids BE, BI, BX and AE, AI, AX)."""

import pytest

from tests.unit.engine.sheets import SHEETS

CIRCLE = ("g7h7", "h7h8", "h8g8", "g8g7")  # what blue does meanwhile
DRAWN = {"red": 0.5, "blue": 0.5}

pytestmark = pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS.keys())


def to_and_fro(game, times, here, back):
    for number in range(times):
        game.play(back if number % 2 else here, CIRCLE[number % 4])
    return game


@pytest.mark.rule(classic=("B34", "BX1", "BE6"), general=("AX1", "AE6"))
@pytest.mark.parametrize(
    ("immobile", "termination", "red"),
    [("either", "both_immobile", 0.5), ("mover", "no_moves", 1.0)],
)
def test_neither_side_can_move_draws_or_mover_loses(sheet, immobile, termination, red):
    game = sheet.duel("Fa1 7b4", "Fa8 7b5", immobile=immobile)

    game.play("b4b5")

    assert game.ending == (termination, {"red": red, "blue": 1 - red})


@pytest.mark.rule(classic="BE6", general="AE6")
def test_only_player_to_move_may_be_judged(sheet):
    game = sheet.duel("Fa1 7b4", "Fa8 8b5 7g7", immobile="mover")

    game.play("b4b5")

    assert game.result is None
    game.play("g7g8")
    assert game.ending == ("no_moves", sheet.wins("blue"))


@pytest.mark.rule(classic=("BX2", "BX3"), general=("AX2", "AX3"))
@pytest.mark.parametrize(
    ("options", "plies", "termination"),
    [
        ({"max_plies": 4, "no_attack_plies": None}, 4, "ply_cap"),
        ({"max_plies": None, "no_attack_plies": 3}, 3, "no_attack_cap"),
    ],
)
def test_long_games_are_drawn(sheet, options, plies, termination):
    game = sheet.duel("Fa1 7b4", "Fa8 7g7", **options)
    for move in ("b4b5", "g7h7", "b5b4", "h7g7")[:plies]:
        assert game.result is None
        game.play(move)

    assert game.ending == (termination, DRAWN)


@pytest.mark.rule(classic=("BX2", "BX3"), general=("AX2", "AX3"))
def test_how_long_is_said_by_the_options(sheet):
    limits = {"max_plies": 2000, "no_attack_plies": 200}

    assert {key: sheet.variant.options[key].default for key in limits} == limits
    assert all(sheet.variant.options[key].allows(None) for key in limits)


@pytest.mark.rule(classic="BX3", general="AX3")
def test_attack_restarts_count_of_quiet_plies(sheet):
    game = sheet.duel("Fa1 8b4", "Fa8 7b6 7g7", no_attack_plies=3)

    game.play("b4b5", "g7g8", "b5b6")

    assert game.result is None
    assert sheet.view(game.state, "red")["no_attack_plies"] == 0


@pytest.mark.rule(classic="BE1", general="AE1")
def test_the_limit_may_be_three_or_none(sheet):
    strict, free = (
        sheet.duel("Fa1 7b4 7a2", "Fa8 7g7", shuttle_limit=limit) for limit in (3, None)
    )

    to_and_fro(strict, 3, "b4b5", "b5b4").refused("b5b4", sheet.rules["shuttle"])

    assert "b4b5" in to_and_fro(free, 8, "b4b5", "b5b4").moves()


@pytest.mark.rule(classic="BE2", general="AE2")
def test_a_chase_may_be_kept_from_coming_back(sheet):
    ruled, free = (
        sheet.duel("Fa1 8e4 7h1", "Fa8 7f5 7h8", shuttle_limit=None, chase_rule=rule)
        for rule in ("isf", "off")
    )
    for game in (ruled, free):
        game.play("e4e5", "f5f6", "e5f5", "f6e6", "f5f6", "e6e5", "f6e6", "e5f5")

    ruled.refused("e6e5", sheet.rules["chase"])
    assert "e6e5" in free.moves()


@pytest.mark.rule(classic="BE3", general="AE3")
def test_scout_shuttle_series_is_exact_or_within_path(sheet):
    exact, path = (
        sheet.duel("Fa1 2e1 7a2", "Fa8 7g7", shuttle_limit=3, shuttle_scout=counted)
        for counted in ("exact", "path")
    )
    to_and_fro(exact, 3, "e1e4", "e4e1")
    path.play("e1e5", CIRCLE[0], "e5e2", CIRCLE[1], "e2e4", CIRCLE[2])

    exact.refused("e4e1", sheet.rules["shuttle"])
    assert {"e4e2", "e4e3", "e4e5"} <= exact.moves()
    path.refused("e4e3", sheet.rules["shuttle"])
    path.refused("e4e2", sheet.rules["shuttle"])
    assert {"e4e1", "e4e5", "e4d4"} <= path.moves()
    assert sheet.variant.options["shuttle_scout"].default == "exact"


@pytest.mark.rule(classic="BE4", general="AE4")
@pytest.mark.parametrize(
    ("rank", "winner", "left"), [("7", "none", None), ("3", "attacker", "red 3")]
)
def test_bomb_may_fall_with_its_attacker(sheet, rank, winner, left):
    game = sheet.duel(f"Fa1 7a2 {rank}b4", "Fa8 7g7 Bb5", bomb_survives=False)

    event = game.play("b4b5")[0]

    assert (event.public["winner"], event.public["boom"]) == (winner, winner == "none")
    assert game.on("b5") == left


@pytest.mark.rule(classic="BE5", general="AE5")
def test_scout_may_be_kept_from_running_and_striking(sheet):
    game = sheet.duel("Fa1 2b3 2e3", "Fa8 7b6 7e4", scout_move_and_strike=False)

    game.refused("b3b6", sheet.rules["run_strike"])
    assert {"b3b5", "e3e4"} <= game.moves()


@pytest.mark.rule(classic="BI1", general="AI1")
@pytest.mark.parametrize("wall", ["", " Ba3"])
def test_a_barred_move_is_none(sheet, wall):
    game = to_and_fro(
        sheet.duel(f"Fb1 Bb2 7a1{wall}", "Fa8 7g7", shuttle_limit=3), 2, "a1a2", "a2a1"
    )

    game.play("a1a2")

    if wall:
        assert game.ending == ("no_moves", sheet.wins("blue"))
    else:
        assert game.result is None


@pytest.mark.rule(classic=("B34", "BI2"), general="AI2")
def test_attack_is_move_and_wall_of_friends_blocks(sheet):
    attacker = sheet.duel("Fa1 Bb1 3a2 Bb2", "7a3 Fg8 7h8")
    walled = sheet.duel("Fa1 Bb1 3a2 Bb2 Ba3 7e4", "8e5 Fg8 7h8", to_move="blue")

    walled.play("e5e4")

    assert attacker.moves() == {"a2a3"}
    assert walled.ending == ("no_moves", sheet.wins("blue"))


@pytest.mark.rule(classic="BI4", general="AI4")
def test_ranks_that_were_told_stay_shown_or_not(sheet):
    known, forgotten = (
        sheet.duel("Fa1 8b4 2h1", "Fa8 7b5 7g7", reveal_after_fight=reading)
        for reading in ("known", "forget")
    )
    known.play("b4b5")
    event = forgotten.play("b4b5")[0].seen_by("blue")
    runs = [[each.kind for each in forgotten.play("g7g8", "h1h4")]]
    runs.append([each.kind for each in forgotten.play("g8g7", "h4h1")])

    view = sheet.view(forgotten.state, "blue")
    assert sheet.view(known.state, "blue")["pieces"][1]["rank"] == "8"
    assert event["attacker"]["rank"] == "8"
    assert {piece["rank"] for piece in view["pieces"] if piece["seat"] == "red"} == {None}
    assert not any(piece["revealed"] for piece in view["pieces"])
    assert view["captured"] == [{"id": "b2", "seat": "blue", "rank": "7"}]
    assert runs == [["moved", "revealed"]] * 2  # told again, as the views forget


@pytest.mark.rule(classic="BI5", general=("A30", "AI5"))
@pytest.mark.parametrize(("red", "blue", "winner"), [("7", "8", "blue"), ("8", "7", "red")])
def test_game_ends_once_either_player_has_no_move(sheet, red, blue, winner):
    game = sheet.duel(f"Fa1 {red}e4", f"{blue}e5 Fa8")

    game.play("e4e5")

    assert game.ending == ("no_moves", sheet.wins(winner))
