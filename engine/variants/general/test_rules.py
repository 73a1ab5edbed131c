"""The rules of `general`, sentence by sentence (ids A1 to A32).

One test for every sentence, in the order of the sheet.
"""

from collections import Counter
from typing import Any

import pytest

from engine.duel.army import RANKS
from engine.errors import IllegalAction, IllegalDeployment, MalformedAction
from engine.outcome import Termination
from engine.registry import find, resolve_options
from engine.rng import Rng
from engine.seating import seatings
from engine.variants.general.rules import SPEC, VARIANT
from tests.unit.engine.positions import Duel, deployed, place

ARMY = "FBBBB" + "9" + "88" + "777" + "4444" + "3333" + "2222" + "S"
LADDER = "S234789"  # weakest first
FAR = " Fh8 7h7"  # a blue flag and a blue piece that can move, out of the way


def duel(red: str, blue: str, **options: Any) -> Duel:
    return place("general", red=red, blue=blue, **options)


def fight(attacker: str, defender: str) -> tuple[Duel, str]:
    """Let red's piece on d4 attack blue's on d5; give the game and the winner."""
    game = duel(f"Fa1 7h1 {attacker}d4", f"{defender}d5{FAR}")
    return game, game.play("d4d5")[0].public["winner"]


@pytest.mark.rule("A1", "A27", "A32")
@pytest.mark.parametrize(("rank", "start"), [("2", "d2"), ("S", "d4"), ("9", "d4"), ("3", "d4")])
def test_whoever_takes_the_flag_wins_with_any_piece(rank, start):
    game = duel(f"Fa1 {rank}{start}", "Fd5 7h7")

    game.play(f"{start}d5")

    assert game.ending == (Termination.FLAG_CAPTURED, {"red": 1.0, "blue": 0.0})
    assert game.on("d5") == f"red {rank}"
    with pytest.raises(IllegalAction, match="over"):
        VARIANT.apply(game.state, "blue", "h7h6")


@pytest.mark.rule("A1", "A32")
def test_the_flag_decides_even_where_nobody_could_move_any_more():
    game = duel("Fa1 7d4", "Fd5")

    game.play("d4d5")

    assert game.ending == (Termination.FLAG_CAPTURED, {"red": 1.0, "blue": 0.0})


@pytest.mark.rule("A2", "A4")
def test_an_army_has_24_pieces_of_the_stated_ranks():
    assert len(ARMY) == 24
    assert dict(SPEC.army) == Counter(ARMY)


@pytest.mark.rule("A4")
@pytest.mark.parametrize("wrong", ["B" + ARMY[:-1], ARMY.replace("9", "M"), ARMY.replace("S", "9")])
def test_a_deployment_of_another_army_is_refused(wrong):
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)

    with pytest.raises(IllegalDeployment) as refusal:
        VARIANT.apply(state, "red", wrong)

    assert refusal.value.rule == "A4"
    assert VARIANT.asked(state) == ("red", "blue")


@pytest.mark.rule("A3")
def test_the_order_in_which_the_army_is_listed_decides_nothing():
    listed = list(SPEC.army)

    assert listed.index("9") < listed.index("S") < listed.index("B")
    assert fight("9", "S")[1] == "attacker"
    assert fight("9", "B")[1] == "defender"


@pytest.mark.rule("A5")
def test_red_opens():
    assert VARIANT.asked(deployed("general", ARMY, ARMY[::-1]).state) == ("red",)


@pytest.mark.rule("A5")
def test_the_lot_for_red_comes_from_the_seed_or_is_switched_off():
    by_lot = resolve_options(VARIANT, {})
    fixed = resolve_options(VARIANT, {"red_by_lot": False})
    lots = [seatings(VARIANT, by_lot, seed, ("one", "two"))[0]["red"] for seed in range(40)]

    assert lots == [seatings(VARIANT, by_lot, seed, ("one", "two"))[0]["red"] for seed in range(40)]
    assert set(lots) == {"one", "two"}
    assert seatings(VARIANT, fixed, 1, ("one", "two"))[0] == {"red": "one", "blue": "two"}
    assert "red_by_lot" not in find("classic").options


@pytest.mark.rule("A6")
def test_the_armies_face_each_other_from_opposite_ends():
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)
    red = VARIANT.view(state, "red")["home"]
    blue = VARIANT.view(state, "blue")["home"]

    assert (red[0], red[-1], blue[0], blue[-1]) == ("a1", "h3", "h8", "a6")
    assert not set(red) & set(blue)


@pytest.mark.rule("A7")
@pytest.mark.parametrize("wrong", [ARMY[:-1], ARMY + "S"])
def test_every_home_square_is_filled_once(wrong):
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)

    with pytest.raises(IllegalDeployment) as refusal:
        VARIANT.apply(state, "blue", wrong)

    assert refusal.value.rule == "A7"


@pytest.mark.rule("A7")
@pytest.mark.parametrize("text", ["", "a1-a2", ARMY[:-1] + "x", ARMY.lower()])
def test_a_deployment_is_written_in_rank_codes(text):
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)

    with pytest.raises(MalformedAction):
        VARIANT.apply(state, "red", text)


@pytest.mark.rule("A8")
def test_the_opponent_sees_only_backs():
    game = deployed("general", ARMY, ARMY[::-1])

    seen = VARIANT.view(game.state, "red")["pieces"]

    assert {piece["rank"] for piece in seen if piece["seat"] == "blue"} == {None}
    assert "".join(piece["rank"] for piece in seen if piece["seat"] == "red") == ARMY


@pytest.mark.rule("A9")
def test_the_two_middle_ranks_start_empty():
    game = deployed("general", ARMY, ARMY)

    assert {game.on(f"{file}{rank}") for file in "abcdefgh" for rank in (4, 5)} == {None}
    assert None not in {game.on(f"{file}{rank}") for file in "abcdefgh" for rank in (3, 6)}


@pytest.mark.rule("A10")
def test_the_players_move_one_piece_by_turns():
    game = duel("Fa1 7d2", "Fh8 7d7")
    game.refused("d7d6", "A10", seat="blue")

    game.play("d2d3")

    assert game.turn == "blue"
    game.refused("d3d4", "A10", seat="red")
    game.play("d7d6")
    assert game.turn == "red"


@pytest.mark.rule("A11")
def test_a_piece_steps_one_square_forward_back_left_or_right():
    game = duel("Fa1 7d4", "Fh8 7h7")

    assert game.moves_from("d4") == {"d5", "d3", "c4", "e4"}
    for crooked in ("d4e5", "d4d6", "d4f4", "d4d4", "d4e6"):
        game.refused(crooked, "A11")


@pytest.mark.rule("A12")
def test_a_scout_runs_any_number_of_free_squares_in_a_straight_line():
    game = duel("Fa1 2d1 7f1", "Fh8 7h7 7d6")

    assert game.moves_from("d1") == {"b1", "c1", "e1", "d2", "d3", "d4", "d5", "d6"}
    game.refused("d1d7", "A12")
    game.refused("d1g1", "A12")
    game.refused("d1f3", "A11")
    assert duel("Fa1 2d1", "Fh8 7h7").play("d1d8")[0].public["to"] == "d8"


@pytest.mark.rule("A13")
def test_a_scout_may_end_its_run_on_an_enemy_but_not_on_a_friend():
    game = duel("Fa1 2d1 7g1", "Sd5" + FAR)
    game.refused("d1g1", "A13")

    event = game.play("d1d5")[0]

    assert (event.kind, event.public["winner"]) == ("fought", "attacker")
    assert game.on("d5") == "red 2"


@pytest.mark.rule("A14")
def test_flag_and_bombs_never_move():
    game = duel("Fd4 Bd2 7h1", "Fh8 7h7")

    assert game.moves() == {"h1h2", "h1g1"}
    game.refused("d4d5", "A14")
    game.refused("d2d3", "A14")


@pytest.mark.rule("A15")
@pytest.mark.parametrize("target", ["d5", "d3", "c4", "e4"])
def test_a_piece_attacks_all_four_neighbours_and_nothing_else(target):
    game = duel("Fa1 9d4", f"7{target} 7e5 7d6" + FAR)
    game.refused("d4e5", "A11")

    assert game.play(f"d4{target}")[0].kind == "fought"
    assert game.turn == "blue"


@pytest.mark.rule("A15")
def test_only_a_scout_attacks_from_afar():
    duel("Fa1 9d4", "7d6" + FAR).refused("d4d6", "A15")


@pytest.mark.rule("A16", "A17")
def test_both_name_their_ranks_and_both_stay_known():
    game = duel("Fa1 8d4", "7d5" + FAR)

    event = game.play("d4d5")[0].seen_by("blue")

    assert event["attacker"] == {"id": "r2", "rank": "8"}
    assert event["defender"] == {"id": "b1", "rank": "7"}
    seen = {piece["id"]: piece for piece in VARIANT.view(game.state, "blue")["pieces"]}
    assert (seen["r2"]["rank"], seen["r2"]["revealed"]) == ("8", True)
    assert (seen["r1"]["rank"], seen["r1"]["revealed"]) == (None, False)


@pytest.mark.rule("A18")
def test_a_higher_attacker_takes_the_place():
    game, winner = fight("8", "7")

    assert winner == "attacker"
    assert (game.on("d4"), game.on("d5")) == (None, "red 8")
    moved = {p["id"] for p in VARIANT.view(game.state, "blue")["pieces"] if p["moved"]}
    assert moved == {"r3"}


@pytest.mark.rule("A19")
def test_a_higher_defender_stays_where_it_is():
    game, winner = fight("7", "8")

    assert winner == "defender"
    assert (game.on("d4"), game.on("d5")) == (None, "blue 8")


@pytest.mark.rule("A20")
@pytest.mark.parametrize("rank", LADDER)
def test_equal_ranks_both_fall(rank):
    game, winner = fight(rank, rank)

    assert winner == "none"
    assert (game.on("d4"), game.on("d5")) == (None, None)


@pytest.mark.rule("A21")
@pytest.mark.parametrize("attacker", LADDER)
@pytest.mark.parametrize("defender", LADDER)
def test_the_ladder_decides_every_fight_but_one(attacker, defender):
    ahead = LADDER.index(attacker) - LADDER.index(defender)
    expected = "attacker" if ahead > 0 else "defender" if ahead else "none"
    if attacker + defender == "S9":
        expected = "attacker"

    assert fight(attacker, defender)[1] == expected


@pytest.mark.rule("A22")
def test_nobody_has_to_attack_at_once():
    game = duel("Fa1 7d4", "7d5" + FAR)

    assert game.moves_from("d4") == {"d5", "d3", "c4", "e4"}
    game.play("d4d3")
    assert game.on("d5") == "blue 7"


@pytest.mark.rule("A23")
@pytest.mark.parametrize("first", ["red", "blue"])
def test_either_side_may_attack_on_its_turn(first):
    game = duel("Fa1 7d4", "8d5 Fh8", to_move=first)

    assert ("d4d5" if first == "red" else "d5d4") in game.moves()


@pytest.mark.rule("A24")
@pytest.mark.parametrize("rank", LADDER.replace("3", ""))
def test_every_piece_but_a_miner_falls_to_a_bomb_that_stays(rank):
    game, winner = fight(rank, "B")

    assert winner == "defender"
    assert (game.on("d4"), game.on("d5")) == (None, "blue B")


@pytest.mark.rule("A24")
def test_a_scout_falls_to_a_bomb_from_afar():
    game = duel("Fa1 2d1 7h1", "Bd5" + FAR)

    assert game.play("d1d5")[0].public["winner"] == "defender"
    assert game.on("d5") == "blue B"


@pytest.mark.rule("A25")
def test_a_bomb_that_goes_off_is_called_out():
    game = duel("Fa1 7d4 3e4 7h1", "Bd5 Be5" + FAR)

    assert game.play("d4d5")[0].public["boom"] is True
    assert game.play("h7h6", "e4e5")[0].public["boom"] is False


@pytest.mark.rule("A26")
def test_a_miner_removes_a_bomb_and_takes_its_place():
    game, winner = fight("3", "B")

    assert winner == "attacker"
    assert (game.on("d4"), game.on("d5")) == (None, "red 3")


@pytest.mark.rule("A28")
def test_a_general_falls_to_a_spy_that_attacks():
    game, winner = fight("S", "9")

    assert winner == "attacker"
    assert game.on("d5") == "red S"
    assert [fight(rank, "9")[1] for rank in "234789"] == ["defender"] * 5 + ["none"]


@pytest.mark.rule("A29")
def test_a_spy_falls_to_a_general_that_attacks():
    game, winner = fight("9", "S")

    assert winner == "attacker"
    assert game.on("d5") == "red 9"


@pytest.mark.rule("A30")
@pytest.mark.parametrize("rest", ["Fh8 Bh7", "Fh8 Bg7 Bh6 3h7 Bg8"])
def test_who_cannot_move_has_lost_at_once(rest):
    game = duel("Fa1 7d4", f"2d5 {rest}")

    game.play("d4d5")

    assert game.ending == (Termination.NO_MOVES, {"red": 1.0, "blue": 0.0})
    assert VARIANT.asked(game.state) == ()


@pytest.mark.rule("A30")
def test_who_makes_the_last_own_piece_fall_has_lost_too():
    game = duel("Fa1 7d4", "8d5 Fh8")

    game.play("d4d5")

    assert game.ending == (Termination.NO_MOVES, {"red": 0.0, "blue": 1.0})


@pytest.mark.rule("A31")
def test_a_piece_goes_to_and_fro_five_times_at_most():
    game = duel("Fa1 7d4 7a2", "Fh8 7h7 7h6")
    elsewhere = ["h7g7", "h6g6", "g7f7", "g6g5", "f7f6"]
    for number, reply in enumerate(elsewhere):
        game.play("d4d5" if number % 2 == 0 else "d5d4", reply)

    game.refused("d5d4", "A31")
    assert game.moves_from("d5") == {"d6", "c5", "e5"}


@pytest.mark.rule("A31")
@pytest.mark.parametrize("break_with", [["a2a3"], ["d5d6", "d6d5"]])
def test_another_piece_or_a_third_square_starts_the_count_anew(break_with):
    game = duel("Fa1 7d4 7a2", "Fh8 7h7")
    for number in range(5):
        game.play("d4d5" if number % 2 == 0 else "d5d4", "h7h6" if number % 2 == 0 else "h6h7")

    for move, reply in zip(break_with, ["h6g6", "g6f6"], strict=False):
        game.play(move, reply)

    assert "d5d4" in game.moves()


@pytest.mark.rule("A31")
def test_the_count_is_that_of_one_piece():
    game = duel("Fa1 7d4 7e5", "Fh8 7h7")
    for number in range(4):
        game.play("d5d4" if number % 2 else "d4d5", "h6h7" if number % 2 else "h7h6")

    game.play("e5d5", "h7g7")

    assert "d5e5" in game.moves()


@pytest.mark.rule("AX4")
def test_lakes_are_an_option():
    game = duel("Fa1 7b4 2c3", "Fh8 7h7 2c6", lakes="lakes_8x8")

    assert VARIANT.view(game.state, "public")["board"]["lakes"] == ["c4", "f4", "c5", "f5"]
    game.refused("b4c4", "AX4")
    game.refused("c3c6", "AX4")
    assert "c3c6" in duel("Fa1 2c3", "Fh8 7h7 2c6").moves()


def test_random_deployments_are_legal_and_differ():
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)
    rng = Rng(5)
    dealt = [VARIANT.sample(state, "red", rng) for _ in range(5)]

    assert len(set(dealt)) == 5
    assert all(Counter(deployment) == SPEC.army for deployment in dealt)
    assert set(SPEC.army) <= set(RANKS)


@pytest.mark.rule("AX5")
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
