"""The view as a bot reads it."""

import math
from dataclasses import asdict

import pytest

from botkit import (
    CardsView,
    DuelView,
    Fallen,
    LastMove,
    Move,
    SiegeView,
    View,
    facing,
    filling,
    view_of,
)
from engine.registry import find
from tests.unit.botkit.messages import view_json
from tests.unit.engine.games import caps, random_game


def test_pieces_are_sorted_by_army_unknown_rank_empty() -> None:
    view = DuelView(view_json())
    assert [piece.id for piece in view.own] == ["r1", "r2", "r3"]
    assert [(piece.id, piece.rank) for piece in view.enemy] == [("b2", ""), ("b3", "4")]
    assert view.by_square["c1"].revealed
    assert view.home == ()


def test_hidden_counts_leave_out_fallen_and_known_pieces() -> None:
    assert DuelView(view_json()).hidden == {"F": 0, "2": 1, "4": 0}
    assert DuelView(view_json()).roster == ["F", "2", "4"]


def test_neighbours_stay_on_board_and_out_of_lakes() -> None:
    neighbours = DuelView(view_json()).neighbours
    assert set(neighbours["a1"]) == {"a2", "b1"}
    assert set(neighbours["b2"]) == {"a2", "b1", "c2"}
    assert "b3" not in neighbours
    assert set(neighbours["b4"]) == {"a4", "c4"}


@pytest.mark.parametrize(("seat", "depth"), [("red", 1), ("blue", 2)])
def test_depth_counts_from_the_own_back_row(seat: str, depth: int) -> None:
    assert DuelView(view_json(seat=seat)).depth("a2") == depth


@pytest.mark.parametrize(
    ("attacker", "defender", "end"),
    [
        ("4", "2", 1),
        ("2", "4", -1),
        ("4", "4", 0),
        ("S", "4", 1),  # the top rank of this little army
        ("4", "S", 1),
        ("S", "2", -1),
        ("S", "S", 0),
        ("3", "B", 1),
        ("4", "B", -1),
        ("2", "F", 1),
    ],
)
def test_fights_end_as_the_rules_say(attacker: str, defender: str, end: int) -> None:
    assert DuelView(view_json()).fight(attacker, defender) == end


def test_moves_are_parsed_with_two_digit_ranks() -> None:
    assert Move.parse("a9a10") == Move("a9", "a10")
    assert Move.parse("a10j10") == Move("a10", "j10")
    assert str(Move("a9", "a10")) == "a9a10"
    with pytest.raises(ValueError, match="is not a move"):
        Move.parse("a9-a10")


def test_a_set_up_is_drawn_front_row_first() -> None:
    assert facing("4 8 2", "B F B") == "BFB482"


def test_view_is_wrapped_by_shape_or_as_common() -> None:
    strange = {"variant": "go@1", "observer": "red", "phase": "think", "ply": 4, "stones": []}
    strange |= {"to_act": ["red"], "limits": {"max_plies": None}}

    assert type(view_of(view_json())) is DuelView
    view = view_of(strange)
    assert type(view) is View
    assert (view.variant, view.seat, view.phase, view.ply) == ("go@1", "red", "think", 4)
    assert (view.to_act, view.limits) == (("red",), {"max_plies": None})
    assert (view.legal, view.events, view.time_left_ms) == ((), (), math.inf)
    assert view.raw is strange


def test_duel_shows_fallen_pieces_and_last_moves() -> None:
    view = DuelView(view_json())

    assert view.captured == [Fallen("b1", "blue", "F")]
    assert view.last == {"red": LastMove("r3", "a3", "c1", 2), "blue": None}
    assert view.limits == {"max_plies": 2000, "no_attack_plies": 200, "shuttle": 5}


@pytest.mark.parametrize("slug", ["cards", "classic", "general", "siege"])
def test_legal_actions_are_taken_apart_and_written_again(slug) -> None:
    variant, found = find(slug), False
    for state, seat, _ in random_game(variant, 3, caps(variant, 60)):
        view = view_of(variant.view(state, seat or variant.seats[0]))
        view.legal = variant.legal(state, seat) or () if seat else ()
        match view:
            case DuelView():
                parts, rest = list(map(str, view.moves)), []
            case CardsView():
                parts = [*map(str, view.plays), *map(filling, view.fillings)]
                rest = [action for action in view.legal if action == "stop"]
            case SiegeView() if view.phase == "turn":
                parts = list(map(str, view.steps))
                rest = [action for action in view.legal if action == "pass"]
            case _:
                continue
        assert sorted([*parts, *rest]) == sorted(view.legal)
        found = found or bool(parts)
    assert found


def test_fallen_pieces_of_every_game_match_the_view() -> None:
    for slug, key in (("classic", "captured"), ("siege", "captured"), ("cards", "removed")):
        (*_, (state, _, _)) = random_game(find(slug), 2, caps(find(slug), 150))
        view = view_of(find(slug).view(state, find(slug).seats[0]))
        listed = getattr(view, key)

        assert [asdict(fallen) for fallen in listed] == view.raw[key]
        assert listed
