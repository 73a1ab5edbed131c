"""Captures, demands and what they end in `siege` (rules 8 to 10)."""

import pytest

from engine.rng import Rng
from tests.unit.engine.sieges import (
    DIAGONAL,
    DRAWN,
    LIFTED,
    WON,
    Siege,
    around,
    begun,
    besieged,
    garrison_goes,
)


@pytest.mark.rule("D19", "D31")
def test_besiegers_never_move_onto_anything():
    game = besieged("Sc6 Ga1", white="Sd7 Gd6 Lb5 Se8", turn="white")

    for action in ("d7-c6", "d6-c6", "b5-c6"):
        game.refused(action, "D19")
    game.refused("d7-e8", "DX5")
    for rng_seed in range(5):
        walk, rng = begun(), Rng(rng_seed)
        while walk.result is None and walk.view["ply"] < 300:
            if walk.turn != "garrison":
                assert not {walk.on(text.split("-")[-1]) for text in walk.moves()} - {None}
            walk.play(rng.choice(sorted(walk.moves())))
        assert {piece["seat"] for piece in walk.view["captured"]} <= {"white", "black"}


@pytest.mark.rule("D20")
def test_besiegers_hamper_garrison_by_blocking_its_way():
    assert garrison_goes("S", white="Sd7 Se8") == around("c6", *DIAGONAL) - {"d7"}


@pytest.mark.rule("D22", "DX14", "DI6")
def test_demand_forces_some_capture_if_possible():
    def game() -> Siege:
        return besieged("Ge3 Ca1", white="Sd8 Sf3 Sd3", turn="white")

    free, asked = game(), game()
    free.play("d8-c9")
    asked.play("d8-c9!")

    assert free.moves_from("a1")
    assert asked.moves() == {"e3-f3", "e3-d3"}
    assert asked.view["demand"] == {"seat": "white", "asks": "any", "binds": True}
    asked.refused("a1-a2", "D22")
    asked.play("e3-d3")
    assert asked.view["demand"] is None
    asked.play("pass")
    assert asked.moves_from("a1")


@pytest.mark.rule("DX14")
def test_a_demand_without_a_capture_is_void():
    game = besieged("Ge3 Ca1", white="Sd8 Sd4 Sc5 Sf3 Sg2", turn="white")  # each one protected

    game.play("d8-c9!")

    assert game.view["demand"] == {"seat": "white", "asks": "any", "binds": False}
    assert game.moves_from("a1") == {"a2", "b1"}


@pytest.mark.rule("D22", "DI4", "DI6")
def test_named_demand_reading_names_its_piece():
    game = besieged("Ge3 Ca1", white="Sd8 Sf3 Sd3", turn="white", demand="named")
    for wrong in ("d8-c9!", "d8-c9!d8", "d8-c9!e3", "d8-c9!c9"):
        game.refused(wrong, "D22")

    game.play("d8-c9!f3")

    assert game.moves() == {"e3-f3"}
    assert game.view["demand"] == {"seat": "white", "asks": "f3", "binds": True}
    two_ways = besieged("Ge3 Cd2", white="Sd8 Sf3 Sd3", turn="white", demand="named")
    two_ways.play("d8-c9!d3")
    assert two_ways.moves() == {"e3-d3", "d2-d3"}
    besieged("Ge3", white="Sd8", turn="white").refused("d8-c9!c9", "D22")
    besieged("Ge3 Ca1", white="Sd3").refused("e3-d3!", "D22")


@pytest.mark.rule("D22", "DI4")
def test_besieger_that_just_moved_asks():
    game = besieged("Ge3", white="Sd8", black="Sm8", turn="black")

    game.play("m8-n9!")

    assert game.view["demand"]["seat"] == "black"


@pytest.mark.rule("D23")
@pytest.mark.parametrize(
    ("taken", "last", "won"),
    [
        ((23, 6), "S", True),
        ((23, 8), "S", True),
        ((24, 5), "L", True),
        ((24, 4), "L", False),
        ((22, 6), "S", False),
    ],
)
def test_garrison_wins_with_all_soldiers_and_six_officers(taken, last, won):
    game = besieged("Gc6", white=f"{last}c7", black="Cp1", taken=taken)

    game.play("c6-c7")

    assert (game.result is not None) == won
    if won:
        assert game.ending == ("besiegers_destroyed", LIFTED)


@pytest.mark.rule("D24", "DX10")
def test_soldier_in_fort_draws_once_rest_is_captured():
    game = besieged("Gc6", white="Sc7 SN", black="Cp1", taken=(22, 6), rule10="draw")

    game.play("c6-c7")

    assert game.ending == ("soldier_in_fort", DRAWN)
    early = besieged("Gc6", white="Sc7 SN", black="Cp1", taken=(22, 5))
    early.play("c6-c7")
    assert early.result is None
    another = besieged("Gc6", white="Sc7 SN", black="Cp1 Sp3", taken=(21, 6))
    another.play("c6-c7")
    assert another.result is None


@pytest.mark.rule("D24", "DX10")
def test_last_soldier_ends_game_as_it_enters():
    game = besieged("Gc6", white="Se6 Cc7", black="Cp1", taken=(23, 6), turn="white", rule10="draw")
    early = besieged("Gc6", white="Se6 Cc7", black="Cp1", taken=(23, 5), turn="white")
    another = besieged("Gc6", white="Se6 Cc7", black="Sp1", taken=(22, 6), turn="white")
    won = besieged("Gc6", white="Se6 SN LE", black="Cp1", taken=(22, 6), turn="white")
    for each in (game, early, another, won):
        each.play("e6-W")

    assert game.ending == ("soldier_in_fort", DRAWN)
    assert early.result is another.result is None
    assert won.ending == ("fort_entered", WON)


@pytest.mark.rule("D24", "DX10")
def test_only_draw_judged_after_captures_waits_for_next():
    game = besieged(
        "Gc6", white="Se6 Cc7", black="Cp1", taken=(23, 6), turn="white", rule10_when="capture"
    )

    game.play("e6-W")
    assert game.result is None
    game.play("c6-c7")

    assert game.ending == ("soldier_in_fort", LIFTED)


@pytest.mark.rule("D24", "DX22")
def test_besiegers_with_only_soldier_inside_lose():
    """One of three inside is less than 29 of 30 captured, and two soldiers are less than 28."""
    one = besieged("Gc6", white="Sc7 SN", black="Cp1", taken=(22, 6))
    two = besieged("Gc6", white="Sc7 SN SE", black="Cp1", taken=(21, 6))
    entering = besieged("Gc6", white="Se6 Cc7", black="Cp1", taken=(23, 6), turn="white")
    for game, action in ((one, "c6-c7"), (two, "c6-c7"), (entering, "e6-W")):
        game.play(action)
        assert game.ending == ("soldier_in_fort", LIFTED)

    assert one.result is not None
    assert one.result.detail == (
        "every soldier that is not captured is inside the fort; "
        "1 of 3 are inside, 29 of 30 are captured"
    )


@pytest.mark.rule("D24")
def test_read_literally_the_first_soldier_to_enter_draws():
    game = besieged("Gc6", white="Se6 Le7", turn="white", fort_entry="immediate")
    officer = besieged("Gc6", white="Se6 Le7", turn="white", fort_entry="immediate")

    game.play("e6-W")
    officer.play("e7-W")

    assert game.ending == ("soldier_in_fort", DRAWN)
    assert officer.result is None
