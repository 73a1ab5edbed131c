"""The besiegers of `siege`: how they move (rules 3 and 4)."""

import pytest

from engine.rng import Rng
from tests.unit.engine.sieges import (
    DIAGONAL,
    FAR_DIAGONAL,
    SHADE_OF,
    WON,
    around,
    begun,
    besieged,
    white_moves,
)


@pytest.mark.rule("D1")
def test_lieutenant_goes_one_or_two_free_squares_diagonally():
    assert white_moves("L") == around("c6", *DIAGONAL, *FAR_DIAGONAL)
    game = besieged("GN", white="Lc6 Sd7 Sb5", turn="white")
    game.refused("c6-e8", "D1")
    game.refused("c6-f9", "DE1")
    game.refused("c6-a4", "D1")
    assert game.moves_from("c6") == {"d5", "e4", "b7", "a8"}
    besieged("GN", white="Lc3", turn="white").refused("c3-f6", "DE1")
    besieged("GN", white="La1", turn="white").refused("a1-d4", "D1")


@pytest.mark.rule("D2")
def test_lieutenants_never_leave_the_colour_of_their_squares():
    for rng_seed in range(4):
        game, rng = begun(), Rng(rng_seed, "walk")
        shades = {
            piece["id"]: SHADE_OF[piece["square"]]
            for piece in game.view["pieces"]
            if piece["rank"] in "LS" and piece["seat"] != "garrison"
        }
        while game.result is None and game.view["ply"] < 400:
            game.play(rng.choice(sorted(game.moves())))
            for piece in game.view["pieces"]:
                if piece["id"] in shades and piece["square"] in SHADE_OF:
                    assert SHADE_OF[piece["square"]] == shades[piece["id"]]
    besieged("GN", white="Lc6", turn="white").refused("c6-c7", "D2")


@pytest.mark.rule("D3")
def test_besieging_soldier_goes_one_square_diagonally_all_ways():
    assert white_moves("S") == around("c6", *DIAGONAL)
    game = besieged("GN", white="Sc6", turn="white")
    for to in ("c7", "d6", "e8", "a4"):
        game.refused(f"c6-{to}", "D3")


@pytest.mark.rule("D4", "DI2")
def test_in_fort_officer_can_be_captured_soldier_cannot():
    game = besieged("GN Se3", white="SNE", black="LNW")

    game.refused("N-NE", "D4")
    assert "N-NW" in game.moves()
    (event, *_) = game.play("N-NW")
    assert (event.kind, event.public["taken"]["rank"]) == ("captured", "L")
    assert game.view["taken"] == {"soldiers": 0, "officers": 1}
    assert besieged("GW", white="Se6").play("W-e6")[0].kind == "captured"


@pytest.mark.rule("D5", "DI5")
@pytest.mark.parametrize(
    ("white", "black", "move", "won"),
    [
        ("SN LNE", "Se6", "e6-W", True),
        ("SN Ce6", "SS", "e6-W", True),
        ("SN SNE", "Se6", "e6-W", False),
        ("SN", "Ke6", "e6-W", False),
        ("LN CNE", "Se6", "e6-W", False),
    ],
)
def test_two_soldiers_and_any_officer_inside_fort_win(white, black, move, won):
    mover = "black" if "e6" in black else "white"
    game = besieged("Ga1", white=white, black=black, turn=mover)

    game.play(move)

    assert (game.result is not None) == won
    if won:
        assert game.ending == ("fort_entered", WON)


@pytest.mark.rule("D6", "D21")
def test_garrison_that_cannot_move_has_lost():
    game = besieged("Sa3", white="Sb2 Sa5 Sd2", black="Sb4 Sc1 Sc5 Sc3", turn="white")
    assert game.result is None

    game.play("d2-e1")

    assert game.ending == ("garrison_blocked", WON)
