"""Moves inside the fort of `siege`, and who has to come out (rules 17 and 18)."""

from collections import Counter
from itertools import product

import pytest

from engine.rng import Rng
from engine.variants.siege.board import CIRCLES, NAMES
from engine.variants.siege.rules import VARIANT
from tests.unit.engine.sieges import SHADE_OF, WON, begun, besieged


@pytest.mark.rule("D35", "DX1", "DX15")
def test_pieces_inside_move_along_line_to_next_circle():
    ways = {
        "N": {"NW", "NE", "E", "W"},
        "NE": {"N", "E"},
        "E": {"NE", "SE", "N", "S"},
        "SE": {"E", "S"},
        "S": {"SE", "SW", "E", "W"},
        "SW": {"S", "W"},
        "W": {"SW", "NW", "N", "S"},
        "NW": {"W", "N"},
    }
    for circle, rank in product(CIRCLES, "GCS"):
        game = besieged(f"{rank}{circle}")
        assert game.moves_from(circle) & set(CIRCLES) == ways[circle]
    for circle, rank in product(CIRCLES, "GCKLS"):
        game = besieged("Ga1", white=f"{rank}{circle}", turn="white")
        assert game.moves_from(circle) == ways[circle]
    besieged("GN").refused("N-S", "D35")
    besieged("GN").refused("N-N", "D35")


@pytest.mark.rule("D36")
def test_officers_may_stay_on_the_gates_for_ever():
    game, rng = besieged("GW CE Sc6 Sn7", white="Sa1 Sa11", black="Sp2 Sp12"), Rng(1)

    for _ in range(199):
        assert game.result is None
        field = {text for text in game.moves() if text.split("-")[0] not in CIRCLES}
        game.play(rng.choice(sorted(text for text in field if not game.on(text.split("-")[1]))))

    assert (game.on("W"), game.on("E")) == ("garrison G", "garrison C")


CORNERED = "GW CE SN SNE SSE SS SSW Sa1"


@pytest.mark.rule("D37", "DX13", "DX17")
def test_somebody_comes_out_while_board_soldiers_are_immobilised():
    game = besieged(CORNERED, white="Sb2 Sc3")
    assert game.moves() == {"W-e6", "W-e7", "E-l6", "E-l7"}
    game.refused("W-NW", "D37")

    free = besieged(CORNERED, white="Sb2")  # unprotected: it can be captured
    assert "W-NW" in free.moves()
    none_out = besieged("GW CE SN SNE SSE SS SSW")
    assert none_out.moves() == {"W-e6", "W-e7", "W-NW", "E-l6", "E-l7", "N-NW"}


@pytest.mark.rule("DX18")
def test_movable_officer_outside_is_movement_on_board():
    cornered = besieged("GW CE Sa1", white="Sb2 Sc3")
    beside = besieged("GW Sa1 Ca3", white="Sb2 Sc3")

    assert all(place in CIRCLES for place in (move.split("-")[0] for move in cornered.moves()))
    assert {"a3-a4", "W-N"} <= beside.moves()


@pytest.mark.rule("DX18")
def test_immovable_officer_outside_without_soldier_owes_nothing():
    alone = besieged("GW Ca1", white="Sa2 Sb3 Kb1 Kb2", black="Gp1")

    assert alone.moves_from("a1") == set()
    assert "W-N" in alone.moves()


@pytest.mark.rule("DX19", "D22")
def test_the_duty_to_come_out_outranks_a_demand():
    """The colonel could capture the captain inside, which is no way out."""
    white = "Sb2 Sc3 Sd2"
    game = besieged("GW CNE Sa1", white=white, black="KE Kp1", turn="white")
    game.play("d2-e1!")
    assert game.moves() == {"W-e6", "W-e7"}
    game.refused("NE-E", "D37")
    assert game.view["demand"]["binds"] is False

    free = besieged("GW CNE", white=white, black="KE Kp1", turn="white")
    free.play("d2-e1!")
    assert free.moves() == {"NE-E"}


@pytest.mark.rule("DX19", "D22")
def test_demand_asks_for_capture_among_ways_out():
    game = besieged("GW CNE Sa1", white="Sb2 Sc3 Sd5", black="KE Kp1", turn="white")
    game.play("d5-e6!")

    assert game.moves() == {"W-e6"}
    game.refused("W-e7", "D22")


@pytest.mark.rule("D37")
def test_move_to_another_circle_is_no_way_out():
    game = besieged("GW CE Sa1", white="Sb2 Sc3")

    assert game.moves() == {"W-e6", "W-e7", "E-l6", "E-l7"}
    game.refused("W-N", "D37")


@pytest.mark.rule("DX17")
def test_under_the_other_reading_only_officers_come_out():
    soldier_on_gate = "SW CE GN SNE SSE SS SSW Sa1"

    anybody = besieged(soldier_on_gate, white="Sb2 Sc3")
    officers = besieged(soldier_on_gate, white="Sb2 Sc3", rule18_who="officers")

    assert anybody.moves() == {"W-e6", "W-e7", "E-l6", "E-l7"}
    assert officers.moves() == {"E-l6", "E-l7"}


@pytest.mark.rule("DX13")
def test_officer_moves_inside_where_nobody_can_come_out():
    closed = "Sb2 Sc3 Ke6 Ke7 Sd5 Sd8"
    game = besieged("GW SN SE Sa1", white=closed, black="Kl6 Kl7 Sm5 Sm8")

    assert game.moves() == {"W-NW", "W-SW", "W-S"}
    game.refused("N-NW", "D37")
    lost = besieged("SW SN Sa1", white=f"{closed} Sp1", black="Kl6 Kl7 Sm5 Sm8", turn="white")
    lost.play("p1-o2")
    assert lost.ending == ("garrison_blocked", WON)


@pytest.mark.rule("D38", "DI3", "DE1")
def test_board_has_156_squares_around_eight_circles():
    scene = VARIANT.scene(begun().view)

    assert Counter(cell.kind for cell in scene.cells) == {
        "dark": 78, "light": 78, "circle": 8, "wall": 36,
    }  # fmt: skip
    assert (scene.columns, scene.rows) == (16, 12)
    assert SHADE_OF["a1"] == 0
    assert len(NAMES) == len(set(NAMES)) == 164
    besieged("Ge5").refused("e5-f5", "DE1")
