"""The rules of `classic`, sentence by sentence (ids B1 to B35).

One test for every sentence, in the order of the sheet.
"""

from collections import Counter
from typing import Any

import pytest

from engine.errors import IllegalDeployment
from engine.outcome import Termination
from engine.registry import resolve_options
from engine.variants.classic.rules import SPEC, VARIANT
from tests.unit.engine.positions import Duel, deployed, place

ARMY = "FBBBBBB" + "M9" + "88" + "777" + "6666" + "5555" + "4444" + "33333" + "22222222" + "S"
LADDER = "S23456789M"  # weakest first
FAR = " Fj10 7j9"  # a blue flag and a blue piece that can move, out of the way


def duel(red: str, blue: str, **options: Any) -> Duel:
    return place("classic", red=red, blue=blue, **options)


def fight(attacker: str, defender: str) -> tuple[Duel, str]:
    """Let red's piece on e4 attack blue's on e5; give the game and the winner."""
    game = duel(f"Fa1 7j1 {attacker}e4", f"{defender}e5{FAR}")
    return game, game.play("e4e5")[0].public["winner"]


@pytest.mark.rule("B1", "B2")
def test_two_armies_of_40_pieces_of_the_stated_ranks():
    game = deployed("classic", ARMY, ARMY[::-1])
    seen = VARIANT.view(game.state, "full")["pieces"]

    assert len(ARMY) == 40
    assert dict(SPEC.army) == Counter(ARMY)
    for seat in ("red", "blue"):
        assert Counter(piece["rank"] for piece in seen if piece["seat"] == seat) == SPEC.army


@pytest.mark.rule("B1")
@pytest.mark.parametrize("wrong", ["B" + ARMY[:-1], ARMY.replace("S", "2"), ARMY.replace("F", "M")])
def test_a_deployment_of_another_army_is_refused(wrong):
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)

    with pytest.raises(IllegalDeployment) as refusal:
        VARIANT.apply(state, "blue", wrong)

    assert refusal.value.rule == "B1"


@pytest.mark.rule("B3", "B33")
@pytest.mark.parametrize(("rank", "start"), [("2", "e1"), ("S", "e4"), ("M", "e4"), ("3", "e4")])
def test_whoever_takes_the_flag_wins_with_any_piece(rank, start):
    game = duel(f"Fa1 {rank}{start}", "Fe5 7j7")

    game.play(f"{start}e5")

    assert game.ending == (Termination.FLAG_CAPTURED, {"red": 1.0, "blue": 0.0})
    assert game.on("e5") == f"red {rank}"


@pytest.mark.rule("B4")
def test_a_deployment_is_told_to_nobody_before_both_are_there():
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)
    before = {who: VARIANT.view(state, who) for who in ("red", "public")}

    assert VARIANT.apply(state, "blue", ARMY) == ()

    assert {who: VARIANT.view(state, who) for who in ("red", "public")} == before
    events = VARIANT.apply(state, "red", ARMY[::-1])
    assert [event.seen_by("red") for event in events] == [
        {"type": "deployed", "seat": "red", "deployment": ARMY[::-1]},
        {"type": "deployed", "seat": "blue"},
    ]


@pytest.mark.rule("B5", "B6")
def test_each_colour_has_its_own_end_of_the_board():
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)
    red = VARIANT.view(state, "red")["home"]
    blue = VARIANT.view(state, "blue")["home"]

    assert VARIANT.seats == ("red", "blue")
    assert (red[0], red[9], red[-1]) == ("a1", "j1", "j4")
    assert (blue[0], blue[9], blue[-1]) == ("j10", "a10", "a7")


@pytest.mark.rule("B7")
@pytest.mark.parametrize("wrong", [ARMY[:-1], ARMY + "2"])
def test_the_four_home_ranks_are_filled(wrong):
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)

    with pytest.raises(IllegalDeployment) as refusal:
        VARIANT.apply(state, "red", wrong)

    assert refusal.value.rule == "B7"


@pytest.mark.rule("B7")
def test_one_deployment_means_the_same_to_either_seat():
    game = deployed("classic", ARMY, ARMY)

    assert (game.on("a1"), game.on("j10")) == ("red F", "blue F")
    assert (game.on("b1"), game.on("i10")) == ("red B", "blue B")
    assert (game.on("j4"), game.on("a7")) == ("red S", "blue S")


@pytest.mark.rule("B8")
def test_the_opponent_sees_only_backs():
    game = deployed("classic", ARMY, ARMY[::-1])

    for observer, hidden in (("red", {"blue"}), ("blue", {"red"}), ("public", {"red", "blue"})):
        seen = VARIANT.view(game.state, observer)["pieces"]
        assert {piece["seat"] for piece in seen if piece["rank"] is None} == hidden
        assert not any(piece["rank"] for piece in seen if piece["seat"] in hidden)


@pytest.mark.rule("B9")
def test_the_two_middle_ranks_start_empty():
    game = deployed("classic", ARMY, ARMY)

    assert {game.on(f"{file}{rank}") for file in "abcdefghij" for rank in (5, 6)} == {None}


@pytest.mark.rule("B10")
@pytest.mark.parametrize("observer", ["red", "blue", "public"])
def test_the_number_of_pieces_of_each_rank_is_known_to_all(observer):
    view = VARIANT.view(deployed("classic", ARMY, ARMY).state, observer)

    assert list(view["army"].items()) == list(SPEC.army.items())
    assert "".join(code for code in view["army"] if code not in "FB") == LADDER[::-1]


@pytest.mark.rule("B11")
def test_red_begins():
    assert VARIANT.asked(deployed("classic", ARMY, ARMY[::-1]).state) == ("red",)


@pytest.mark.rule("B12")
def test_each_turn_is_one_move_or_one_attack():
    game = duel("Fa1 8e2", "7e4 Fj10 7j9")
    game.refused("j9j8", "B12", seat="blue")

    game.play("e2e3")
    game.refused("e3e4", "B12", seat="red")
    game.play("j9j8", "e3e4")

    assert game.turn == "blue"


@pytest.mark.rule("B13")
def test_a_piece_steps_one_square_right_left_forward_or_back():
    game = duel("Fa1 7e4", "Fj10 7j7")

    assert game.moves_from("e4") == {"e5", "e3", "d4", "f4"}
    for crooked in ("e4f5", "e4e6", "e4g4", "e4e4"):
        game.refused(crooked, "B13")


@pytest.mark.rule("B14")
def test_a_square_holds_one_piece_and_nobody_jumps_or_goes_diagonally():
    game = duel("Fa1 7e3 8e4 2b1", "Fj10 7j7 7b6")

    game.refused("e3e4", "B14")
    game.refused("e3f4", "B13")
    game.refused("b1b7", "B21")


@pytest.mark.rule("B15")
def test_nobody_enters_or_crosses_a_lake():
    game = duel("Fa1 7c4 2d4 2b5", "Fj10 7j7 7d7")

    assert VARIANT.view(game.state, "red")["board"]["lakes"] == [
        *("c5", "d5", "g5", "h5"),
        *("c6", "d6", "g6", "h6"),
    ]
    for wet in ("c4c5", "d4d5", "d4d7", "b5c5", "b5e5"):
        game.refused(wet, "B15")


@pytest.mark.rule("B16")
def test_a_piece_goes_to_and_fro_five_times_at_most():
    game = duel("Fa1 7e4 7a2", "Fj10 7j7 7j6")
    for number, reply in enumerate(["j7i7", "j6i6", "i7h7", "i6i5", "h7g7"]):
        game.play("e4e5" if number % 2 == 0 else "e5e4", reply)

    game.refused("e5e4", "B16")
    assert game.moves_from("e5") == {"e6", "f5"}
    game.play("a2a3", "g7g8")
    assert "e5e4" in game.moves()


@pytest.mark.rule("B16")
def test_an_attack_is_a_move_of_the_series():
    game = duel("Fa1 9e4 7a2", "7e5 7e3 Fj10 7j7")
    game.play("e4e5", "j7j6", "e5e4", "j6j7", "e4e5", "j7j6", "e5e4", "j6j7", "e4e5", "j7j6")

    game.refused("e5e4", "B16")


@pytest.mark.rule("B17")
def test_who_began_has_to_stop_first():
    game = duel("Fa1 7e4 7a2", "Ff10 8f5 7j7")
    game.play("e4e3", "f5f6", "e3e4", "f6f5", "e4e3", "f5f6", "e3e4", "f6f5", "e4e3")

    assert "f5f6" in game.moves("blue")
    game.play("f5f6")
    game.refused("e3e4", "B16")


@pytest.mark.rule("B18")
def test_stopping_first_can_cost_a_piece():
    game = duel("Fa1 7e4 7a2", "Fj10 8e6 7j7")
    game.play("e4f4", "e6f6", "f4e4", "f6e6", "e4f4", "e6f6", "f4e4", "f6e6", "e4f4", "e6f6")

    game.refused("f4e4", "B16")
    game.play("a2a3", "f6f5", "a3a4", "f5f4")
    assert game.on("f4") == "blue 8"


@pytest.mark.rule("B19")
def test_bombs_and_flag_never_move():
    game = duel("Fe4 Bb2 7j1", "Fj10 7j7")

    assert game.moves() == {"j1j2", "j1i1"}
    game.refused("e4e5", "B19")
    game.refused("b2b3", "B19")


@pytest.mark.rule("B20")
def test_a_scout_runs_as_far_as_it_likes_in_four_directions():
    game = duel("Fa1 2e1", "Fj10 7j7")

    assert {"e1e10", "e1b1", "e1j1"} <= game.moves()
    game.refused("e1g3", "B13")
    beside_lakes = {move for move in duel("Fa1 2e5", "Fj10 7j7").moves() if move[3] == "5"}
    assert beside_lakes == {"e5f5"}


@pytest.mark.rule("B21")
def test_a_scout_jumps_over_nobody():
    game = duel("Fa1 2e1 7e3 2b1", "Fj10 7j7 7b5")

    assert {move for move in game.moves() if move.startswith("e1e")} == {"e1e2"}
    game.refused("e1e4", "B21")
    game.refused("b1b6", "B21")


@pytest.mark.rule("B22", "B28")
def test_only_scouts_attack_from_afar_and_over_free_squares():
    game = duel("Fa1 2e1 6f3", "7e5 7f5 7b1 Fj10")

    game.refused("f3f5", "B22")
    assert game.play("e1e5")[0].public["attacker"]["rank"] == "2"
    duel("Fa1 2e1 7e4", "7e5 Fj10").refused("e1e5", "B21")


@pytest.mark.rule("B20")
def test_a_scout_that_runs_shows_what_it_is():
    game = duel("Fa1 2e1", "Fj10 7j7")
    assert [event.kind for event in game.play("e1e2")] == ["moved"]
    assert VARIANT.view(game.state, "blue")["pieces"][1]["rank"] is None

    moved, revealed = game.play("j7j8", "e2e4")

    assert (moved.kind, revealed.seen_by("blue")) == (
        "moved",
        {"type": "revealed", "seat": "red", "piece": "r2", "rank": "2"},
    )
    assert VARIANT.view(game.state, "blue")["pieces"][1]["rank"] == "2"


@pytest.mark.rule("B23")
@pytest.mark.parametrize("target", ["e8", "e6", "d7", "f7"])
def test_a_piece_attacks_before_beside_and_behind_it(target):
    game = duel("Fa1 9e7", f"7{target} 7f8" + FAR)
    game.refused("e7f8", "B13")

    assert game.play(f"e7{target}")[0].kind == "fought"


@pytest.mark.rule("B24")
def test_both_name_their_ranks():
    game = duel("Fa1 8e4", "7e5" + FAR)

    events = [event.seen_by("public") for event in game.play("e4e5")]

    assert events == [
        {
            "type": "fought",
            "seat": "red",
            "from": "e4",
            "to": "e5",
            "attacker": {"id": "r2", "rank": "8"},
            "defender": {"id": "b1", "rank": "7"},
            "winner": "attacker",
            "boom": False,
        }
    ]


@pytest.mark.rule("B25", "B29")
@pytest.mark.parametrize("attacker", LADDER)
@pytest.mark.parametrize("defender", LADDER)
def test_the_lower_rank_is_beaten(attacker, defender):
    ahead = LADDER.index(attacker) - LADDER.index(defender)
    expected = "attacker" if ahead > 0 or attacker + defender == "SM" else "defender"
    expected = expected if ahead else "none"

    game, winner = fight(attacker, defender)

    assert winner == expected
    left = {"attacker": f"red {attacker}", "defender": f"blue {defender}", "none": None}
    assert (game.on("e4"), game.on("e5")) == (None, left[expected])


@pytest.mark.rule("B26")
@pytest.mark.parametrize("rank", LADDER)
def test_equal_ranks_both_leave_the_game(rank):
    game, winner = fight(rank, rank)

    assert winner == "none"
    captured = VARIANT.view(game.state, "public")["captured"]
    assert [(gone["seat"], gone["rank"]) for gone in captured] == [("red", rank), ("blue", rank)]


@pytest.mark.rule("B27")
def test_nobody_is_ever_obliged_to_attack():
    game = duel("Fa1 7e4", "7e5" + FAR)

    assert game.moves_from("e4") == {"e5", "e3", "d4", "f4"}


@pytest.mark.rule("B30")
@pytest.mark.parametrize("rank", LADDER.replace("3", ""))
def test_whoever_attacks_a_bomb_perishes_and_the_bomb_stays(rank):
    game, winner = fight(rank, "B")

    assert winner == "defender"
    assert (game.on("e4"), game.on("e5")) == (None, "blue B")


@pytest.mark.rule("B31")
def test_a_miner_removes_a_bomb_and_takes_its_place():
    game, winner = fight("3", "B")

    assert winner == "attacker"
    assert game.on("e5") == "red 3"


@pytest.mark.rule("B32")
@pytest.mark.parametrize("rank", LADDER[1:])
def test_every_piece_that_attacks_the_spy_wins(rank):
    assert fight(rank, "S")[1] == "attacker"
    if rank != "M":
        assert fight("S", rank)[1] == "defender"


@pytest.mark.rule("B32b")
def test_a_spy_that_attacks_the_marshal_beats_it():
    game, winner = fight("S", "M")

    assert (winner, game.on("e5")) == ("attacker", "red S")


@pytest.mark.rule("B32c")
def test_a_marshal_that_attacks_the_spy_beats_it():
    game, winner = fight("M", "S")

    assert (winner, game.on("e5")) == ("attacker", "red M")


@pytest.mark.rule("B34")
@pytest.mark.parametrize("rest", ["Fj10", "Fj10 Bi10 Bj9", "Fj10 Bi9 Bj8 3j9 Bi10"])
def test_who_cannot_move_loses_at_once(rest):
    game = duel("Fa1 7e4", f"2e5 {rest}")

    game.play("e4e5")

    assert game.ending == (Termination.NO_MOVES, {"red": 1.0, "blue": 0.0})


@pytest.mark.rule("B34")
def test_both_without_a_move_is_a_draw():
    game = duel("Fa1 7e4", "7e5 Fj10")

    game.play("e4e5")

    assert game.ending == (Termination.BOTH_IMMOBILE, {"red": 0.5, "blue": 0.5})


@pytest.mark.rule("B34")
def test_a_player_who_can_only_attack_can_still_move():
    game = duel("Fa1 3a2 Bb2 Bb1 7e4", "2e5 7a3 Fj10 7j9", to_move="red")
    walled = duel("Fa1 Bb1 2a2 Bb2", "7a3 Fj10")

    game.play("e4e5")

    assert game.result is None
    assert walled.moves() == {"a2a3"}


@pytest.mark.rule("B34")
def test_an_army_walled_in_by_its_own_bombs_loses_before_the_first_move():
    behind = Counter(ARMY) - Counter("BBBBBB" + "F" + "222")
    front = "BB" + "F2" + "BB" + "22" + "BB"
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)
    VARIANT.apply(state, "red", "".join(behind.elements()) + front)

    events = VARIANT.apply(state, "blue", ARMY)

    assert [event.kind for event in events] == ["deployed", "deployed", "ended"]
    assert Duel(VARIANT, state).ending == (Termination.NO_MOVES, {"red": 0.0, "blue": 1.0})


@pytest.mark.rule("B35")
def test_what_was_captured_lies_open_for_both():
    game = duel("Fa1 8e4", "7e5" + FAR)
    game.play("e4e5")

    views = [VARIANT.view(game.state, observer) for observer in ("red", "blue", "public")]

    assert [view["captured"] for view in views] == [[{"id": "b1", "seat": "blue", "rank": "7"}]] * 3


@pytest.mark.rule("BX4")
def test_who_resigns_loses_and_where_both_do_at_once_it_is_drawn():
    game = duel("Fa1 7e4", "Fa8 7g7")
    game.play("resign")
    states = [VARIANT.begin(resolve_options(VARIANT, {}), 0) for _ in range(2)]
    for state, answer in zip(states, ("resign", ARMY), strict=True):
        assert VARIANT.apply(state, "blue", "resign") == ()
        VARIANT.apply(state, "red", answer)

    assert game.ending == (Termination.RESIGNED, {"red": 0.0, "blue": 1.0})
    assert game.result is not None
    assert game.result.fault is None
    assert [Duel(VARIANT, state).ending[1] for state in states] == [
        {"red": 0.5, "blue": 0.5},
        {"red": 1.0, "blue": 0.0},
    ]
