"""The option `chase_rule`: what keeps a chase alive, what ends it, and what it forbids."""

from engine.duel.spec import SEATS
from tests.unit.engine.positions import place

ROUND = ("d4d5", "e5e6", "d5e5", "e6d6", "e5e6")  # red's colonel behind blue's major
AND_ROUND = ("e6d6", "d5e5")  # the major has gone to d5 in between; d6d5 would close the circle


def hunt(*moves, rule="isf", more_red="", more_blue=""):
    """Play on the open board with a red piece on h1 and a blue one on h8 that look on."""
    game = place(
        "general",
        red=f"Fa1 8d4 7h1 {more_red}",
        blue=f"Fa8 7e5 7h8 {more_blue}",
        shuttle_limit=None,
        chase_rule=rule,
    )
    game.play(*moves)
    return game


def test_chase_may_not_repeat_earlier_position():
    free = hunt(*ROUND, "d6d5", *AND_ROUND, rule="off")
    ruled = hunt(*ROUND, "d6d5", *AND_ROUND)

    assert "d6d5" in free.moves()
    ruled.refused("d6d5", "AE2")
    assert "d6e6" in ruled.moves()  # straight back is allowed
    assert {"d6c6", "d6d7"} <= ruled.moves()


def test_only_last_moved_piece_may_go_straight_back():
    """Red's general and colonel chase one piece; the general may not go where the colonel was."""
    game = place(
        "general", red="Fa1 9d4 8e6", blue="Fa8 7e5 7h8", shuttle_limit=None, chase_rule="isf"
    )
    game.play("d4d5", "e5f5", "d5e5", "f5f4", "e5e4", "f4f5", "e6e5", "f5f6", "e5e6", "f6f5")

    game.refused("e4e5", "AE2")
    assert "e6e5" in game.moves()


def test_chase_ends_unevaded_though_chaser_stays_beside():
    """Between the two times that red's colonel and major stand on both sides, h7h8 evades none."""
    game = place(
        "general", red="Fa1 8d4 7f4", blue="Fa8 7e5 7h8", shuttle_limit=None, chase_rule="isf"
    )
    game.play("f4f5", "h8h7", "d4d5", "e5e4", "d5d4", "h7h8", "f5f4", "e4e5", "d4d5", "h8h7")

    assert "f4f5" in game.moves()


def test_chase_ends_if_opponent_moves_unthreatened_piece():
    other_hunt = ("h2h3", "g2g3", "h3h2", "g3g2")

    game = hunt(*ROUND, *other_hunt, "d6d5", *AND_ROUND, more_red="4g2", more_blue="4h2")

    assert "d6d5" in game.moves()


def test_game_copy_has_separate_chase():
    game = hunt(*ROUND, "d6d5", *AND_ROUND)
    twin = game.variant.copy(game.state)

    for ply, move in enumerate(("h1h2", "h8h7")):
        game.variant.apply(twin, SEATS[ply], move)

    game.refused("d6d5", "AE2")
