"""A test for every sentence of the rules of battleship."""

from typing import Any

import pytest

from engine.errors import EngineError, IllegalAction, IllegalDeployment
from engine.registry import find, resolve_options

VARIANT: Any = find("battleship")
RED, BLUE = "a1r,a2r,a3r,a4r", "h1u,g1u,f1u,e1u"


def game(**options):
    state = VARIANT.begin(resolve_options(VARIANT, options), 1)
    VARIANT.apply(state, "red", RED)
    VARIANT.apply(state, "blue", BLUE)
    return state


def shoot(state, *squares):
    """Shoot, each time as the seat that is asked; return the events of the last shot."""
    events: Any = ()
    for square in squares:
        (seat,) = VARIANT.asked(state)
        events = VARIANT.apply(state, seat, square)
    return [event.seen_by("public") for event in events]


def refused(state, seat, action, rule):
    with pytest.raises(EngineError) as refusal:
        VARIANT.apply(state, seat, action)
    assert getattr(refusal.value, "rule", "") == rule
    return refusal.value


def ended(state):
    result = VARIANT.result(state)
    return result.termination, result.points


@pytest.mark.rule("BS1")
def test_the_waters_have_eight_by_eight_squares():
    state = game()

    assert len(VARIANT.legal(state, "red")) == 64
    assert {VARIANT.legal(state, "red")[at] for at in (0, -1)} == {"a1", "h8"}


@pytest.mark.rule("BS2")
def test_a_fleet_has_four_ships():
    state = VARIANT.begin(resolve_options(VARIANT, {}), 1)

    refused(state, "red", "a1r,a2r,a3r", "BS2")
    VARIANT.apply(state, "red", RED)
    ships = VARIANT.view(state, "red")["seats"]["red"]["ships"]
    assert {ship: len(squares) for ship, squares in ships.items()} == {
        "C": 4,
        "D": 3,
        "S": 3,
        "L": 2,
    }


@pytest.mark.rule("BS3")
@pytest.mark.parametrize(
    "fleet", ["f1r,a2r,a3r,a4r", "a6u,b1r,b2r,b3r", "a1r,a1u,b3r,b4r", "a1r,a2r,a3r,a3u"]
)
def test_ships_lie_inside_waters_without_overlap(fleet):
    state = VARIANT.begin(resolve_options(VARIANT, {}), 1)

    assert isinstance(refused(state, "red", fleet, "BS3"), IllegalDeployment)
    refused(state, "red", "a1", "BS3")


@pytest.mark.rule("BS3")
def test_set_ups_are_unseen_and_made_once():
    state = VARIANT.begin(resolve_options(VARIANT, {}), 1)
    VARIANT.apply(state, "red", RED)

    assert VARIANT.view(state, "blue")["seats"]["red"]["ships"]["C"] is None
    refused(state, "red", RED, "BS3")
    VARIANT.apply(state, "blue", BLUE)
    assert VARIANT.view(state, "blue")["seats"]["red"]["ships"]["C"] is None
    refused(state, "red", RED, "BS3")


@pytest.mark.rule("BS4")
def test_red_begins_and_the_players_take_turns():
    state = game()

    assert VARIANT.asked(state) == ("red",)
    refused(state, "blue", "a1", "BS4")
    shoot(state, "a1")
    assert VARIANT.asked(state) == ("blue",)


@pytest.mark.rule("BS5")
def test_no_square_is_shot_at_twice():
    state = game()
    shoot(state, "a1", "a1")

    assert isinstance(refused(state, "red", "a1", "BS5"), IllegalAction)


@pytest.mark.rule("BS6")
def test_both_hear_what_a_shot_hit():
    state = game()

    assert shoot(state, "a1") == [{"type": "missed", "seat": "red", "square": "a1"}]
    hit = {"type": "hit", "seat": "blue", "square": "a4", "ship": "L", "sunk": False}
    assert shoot(state, "a4") == [hit]
    assert shoot(state, "a2", "b4") == [{**hit, "square": "b4", "sunk": True}]
    assert VARIANT.view(state, "blue")["seats"]["red"]["sunk"] == ["L"]
    assert VARIANT.view(state, "blue")["seats"]["red"]["ships"]["L"] == ["a4", "b4"]


@pytest.mark.rule("BS7")
def test_who_sinks_the_last_ship_wins():
    state = game(hit_again=True)
    *first, last = ["h1", "h2", "h3", "h4", "g1", "g2", "g3", "f1", "f2", "f3", "e1", "e2"]
    shoot(state, *first)

    assert VARIANT.result(state) is None
    shoot(state, last)
    assert ended(state) == ("fleet_sunk", {"red": 1.0, "blue": 0.0})


@pytest.mark.rule("BS8")
def test_ply_limit_makes_game_a_draw():
    assert resolve_options(VARIANT, {})["max_plies"] == 128
    state = game(max_plies=2)
    shoot(state, "a1", "a1")

    assert ended(state) == ("ply_cap", {"red": 0.5, "blue": 0.5})


@pytest.mark.rule("BS9")
def test_who_resigns_loses():
    state = game()
    VARIANT.apply(state, "red", "resign")
    assert ended(state) == ("resigned", {"red": 0.0, "blue": 1.0})

    both = VARIANT.begin(resolve_options(VARIANT, {}), 1)
    VARIANT.apply(both, "red", "resign")
    VARIANT.apply(both, "blue", "resign")
    assert ended(both) == ("resigned", {"red": 0.5, "blue": 0.5})


@pytest.mark.rule("BS10")
def test_who_hits_shoots_again_with_the_option():
    state = game(hit_again=True)
    shoot(state, "h1")
    assert VARIANT.asked(state) == ("red",)
    shoot(state, "a8")
    assert VARIANT.asked(state) == ("blue",)
