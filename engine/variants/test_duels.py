"""The rules that `classic` and `general` share, sentence by sentence (ids B1 to B35, A1 to A32).

What only one of them says is tested in its own folder.
"""

from collections import Counter
from itertools import product

import pytest

from engine.errors import IllegalAction, IllegalDeployment, MalformedAction
from engine.outcome import Termination
from tests.unit.engine.positions import Duel
from tests.unit.engine.sheets import FAR, SHEETS

DRAWN = {"red": 0.5, "blue": 0.5}

pytestmark = pytest.mark.parametrize("sheet", SHEETS.values(), ids=SHEETS.keys())


@pytest.mark.rule(classic=("B1", "B2"), general=("A2", "A4"))
def test_two_armies_have_the_stated_pieces(sheet):
    seen = sheet.view(sheet.deployed().state, "full")["pieces"]

    assert len(sheet.army) == sheet.pieces
    assert dict(sheet.spec.army) == Counter(sheet.army)
    for seat in ("red", "blue"):
        assert Counter(each["rank"] for each in seen if each["seat"] == seat) == sheet.spec.army


@pytest.mark.rule(classic="B1", general="A4")
@pytest.mark.parametrize(("rank", "other"), ["SB", "S2", "S9", "FM", "9M"], ids="".join)
def test_a_deployment_of_another_army_is_refused(sheet, rank, other):
    state = sheet.begin()

    with pytest.raises(IllegalDeployment) as refusal:
        sheet.variant.apply(state, "blue", sheet.army.replace(rank, other))

    assert refusal.value.rule == sheet.rules["army"]
    assert sheet.variant.asked(state) == ("red", "blue")


@pytest.mark.rule(classic=("B3", "B33"), general=("A1", "A27", "A32"))
def test_whoever_takes_the_flag_wins_with_any_piece(sheet):
    for rank, start in [("2", "e1"), *((rank, "e4") for rank in sheet.ladder)]:
        game = sheet.duel(f"Fa1 {rank}{start}", "Fe5 7h7")

        game.play(f"{start}e5")

        assert game.ending == ("flag_captured", sheet.wins("red"))
        assert game.on("e5") == f"red {rank}"
        with pytest.raises(IllegalAction, match="over"):
            sheet.variant.apply(game.state, "blue", "h7g7")


@pytest.mark.rule(classic="B33", general=("A1", "A32"))
def test_flag_decides_even_if_nobody_can_move(sheet):
    game = sheet.duel("Fa1 7e4", "Fe5")

    game.play("e4e5")

    assert game.ending == ("flag_captured", sheet.wins("red"))


@pytest.mark.rule(classic="B4")
def test_deployment_is_hidden_until_both_are_there(sheet):
    state, mirrored = sheet.begin(), sheet.army[::-1]
    before = {who: sheet.view(state, who) for who in ("red", "public")}

    assert sheet.variant.apply(state, "blue", sheet.army) == ()

    assert {who: sheet.view(state, who) for who in ("red", "public")} == before
    events = sheet.variant.apply(state, "red", mirrored)
    assert [event.seen_by("red") for event in events] == [
        {"type": "deployed", "seat": "red", "deployment": mirrored},
        {"type": "deployed", "seat": "blue"},
    ]


@pytest.mark.rule(classic=("B5", "B6"), general="A6")
def test_each_colour_has_its_end_of_board(sheet):
    state = sheet.begin()
    homes = {seat: sheet.view(state, seat)["home"] for seat in sheet.variant.seats}

    assert {seat: (home[0], home[-1]) for seat, home in homes.items()} == sheet.homes
    assert not {*homes["red"]} & {*homes["blue"]}


@pytest.mark.rule(classic="B7", general="A7")
def test_every_home_square_is_filled_once(sheet):
    for seat, wrong in (("red", sheet.army[:-1]), ("blue", sheet.army + "2")):
        with pytest.raises(IllegalDeployment) as refusal:
            sheet.variant.apply(sheet.begin(), seat, wrong)

        assert refusal.value.rule == sheet.rules["home"]


@pytest.mark.rule(classic="B7", general="A7")
def test_a_deployment_is_written_in_rank_codes(sheet):
    for text in ("", "a1-a2", sheet.army[:-1] + "x", sheet.army.lower()):
        with pytest.raises(MalformedAction):
            sheet.variant.apply(sheet.begin(), "red", text)


@pytest.mark.rule(classic="B7", general="A7")
def test_one_deployment_means_the_same_to_either_seat(sheet):
    game, homes = sheet.deployed(), sheet.homes

    for seat in ("red", "blue"):
        assert [game.on(square) for square in homes[seat]] == [f"{seat} F", f"{seat} S"]


@pytest.mark.rule(classic="B8", general="A8")
def test_the_opponent_sees_only_backs(sheet):
    game = sheet.deployed()

    for observer, hidden in (("red", {"blue"}), ("blue", {"red"}), ("public", {"red", "blue"})):
        seen = sheet.view(game.state, observer)["pieces"]
        assert {piece["seat"] for piece in seen if piece["rank"] is None} == hidden
        assert not any(piece["rank"] for piece in seen if piece["seat"] in hidden)


@pytest.mark.rule(classic="B9", general="A9")
def test_the_two_middle_ranks_start_empty(sheet):
    game = sheet.deployed()
    low, high = sheet.middle

    def stand(*ranks: int) -> set[str | None]:
        files = "abcdefghij"[: sheet.spec.files]
        return {game.on(f"{file}{rank}") for file in files for rank in ranks}

    assert stand(low, high) == {None}
    assert None not in stand(low - 1, high + 1)


@pytest.mark.rule(classic="B10")
@pytest.mark.parametrize("observer", ["red", "blue", "public"])
def test_number_of_pieces_per_rank_is_public(sheet, observer):
    army = sheet.view(sheet.deployed().state, observer)["army"]

    assert list(army.items()) == list(sheet.spec.army.items())
    assert "".join(code for code in army if code not in "FB") == sheet.ladder[::-1]


@pytest.mark.rule(classic="B11", general="A5")
def test_red_begins(sheet):
    assert sheet.variant.asked(sheet.deployed().state) == ("red",)


@pytest.mark.rule(classic="B12", general="A10")
def test_each_turn_is_one_move_of_one_piece(sheet):
    game = sheet.duel("Fa1 8e2", "7e4 Fh8 7h7")
    game.refused("h7g7", sheet.rules["turn"], seat="blue")

    game.play("e2e3")
    game.refused("e3e4", sheet.rules["turn"], seat="red")
    game.play("h7g7", "e3e4")

    assert game.turn == "blue"


@pytest.mark.rule(classic="B13", general="A11")
def test_piece_steps_one_square_in_four_directions(sheet):
    game = sheet.duel("Fa1 7e4", "Fh8 7h7")

    assert game.moves_from("e4") == {"e5", "e3", "d4", "f4"}
    for crooked in ("e4f5", "e4e6", "e4g4", "e4e4", "e4f6"):
        game.refused(crooked, sheet.rules["step"])


@pytest.mark.rule(classic="B14", general="A13")
def test_square_holds_one_piece_without_jumps_or_diagonals(sheet):
    game = sheet.duel("Fa1 7e3 8e4 2b3 7f3", "Fh8 7h7 7b6")

    game.refused("e3e4", sheet.rules["occupied"])
    game.refused("e3f4", sheet.rules["step"])
    game.refused("b3e3", sheet.rules["occupied"])
    game.refused("b3b7", sheet.rules["path"])


@pytest.mark.rule(classic="B16", general="A31")
def test_piece_shuttles_at_most_five_times(sheet):
    game = sheet.duel("Fh1 7a4 7e2", "Fa8 7h7 7f8")
    for number, reply in enumerate(["h7g7", "f8e8", "g7h7", "e8f8", "h7g7"]):
        game.play("a4a5" if number % 2 == 0 else "a5a4", reply)

    game.refused("a5a4", sheet.rules["shuttle"])
    assert game.moves_from("a5") == {"a6", "b5"}


@pytest.mark.rule(classic="B16", general="A31")
@pytest.mark.parametrize("break_with", [["a2a3"], ["e5e6", "e6e5"]])
def test_another_piece_or_third_square_restarts_count(sheet, break_with):
    game = sheet.duel("Fa1 7e4 7a2", "Fa8 7h7")
    for number in range(5):
        game.play("e4e5" if number % 2 == 0 else "e5e4", "h7g7" if number % 2 == 0 else "g7h7")

    for move, reply in zip(break_with, ["g7g8", "g8f8"], strict=False):
        game.play(move, reply)

    assert "e5e4" in game.moves()


@pytest.mark.rule(classic="B16", general="A31")
def test_the_count_is_that_of_one_piece(sheet):
    game = sheet.duel("Fa1 7e4 7f5", "Fa8 7h7")
    for number in range(4):
        game.play("e5e4" if number % 2 else "e4e5", "g7h7" if number % 2 else "h7g7")

    game.play("f5e5", "h7h8")

    assert "e5f5" in game.moves()


@pytest.mark.rule(classic="B16", general="A31")
def test_an_attack_is_a_move_of_the_series(sheet):
    game = sheet.duel("Fa1 9e4 7a2", "7e5 7e3 Fa8 7h7")
    game.play("e4e5", "h7g7", "e5e4", "g7h7", "e4e5", "h7g7", "e5e4", "g7h7", "e4e5", "h7g7")

    game.refused("e5e4", sheet.rules["shuttle"])


@pytest.mark.rule(classic="B17", general="A31")
def test_who_began_has_to_stop_first(sheet):
    game = sheet.duel("Fa1 7e4 7a2", "Fa8 8f5 7h7")
    game.play("e4e3", "f5f6", "e3e4", "f6f5", "e4e3", "f5f6", "e3e4", "f6f5", "e4e3")

    assert "f5f6" in game.moves("blue")
    game.play("f5f6")
    game.refused("e3e4", sheet.rules["shuttle"])


@pytest.mark.rule(classic="B18")
def test_stopping_first_can_cost_a_piece(sheet):
    game = sheet.duel("Fa1 7e4 7a2", "Fa8 8e6 7h7")
    game.play("e4f4", "e6f6", "f4e4", "f6e6", "e4f4", "e6f6", "f4e4", "f6e6", "e4f4", "e6f6")

    game.refused("f4e4", sheet.rules["shuttle"])
    game.play("a2a3", "f6f5", "a3a4", "f5f4")
    assert game.on("f4") == "blue 8"


@pytest.mark.rule(classic="B19", general="A14")
def test_bombs_and_flag_never_move(sheet):
    game = sheet.duel("Fe4 Bb3 7a1", "Fh8 7h7")

    assert game.moves() == {"a1a2", "a1b1"}
    game.refused("e4e5", sheet.rules["immobile"])
    game.refused("b3b4", sheet.rules["immobile"])


@pytest.mark.rule(classic=("B20", "B21"), general="A12")
def test_scout_runs_over_free_squares_without_jumping(sheet):
    game = sheet.duel("Fa1 2e1 7g1", "Fh8 7h7 7e6")

    assert game.moves_from("e1") == {"b1", "c1", "d1", "f1", "e2", "e3", "e4", "e5", "e6"}
    game.refused("e1e7", sheet.rules["path"])
    game.refused("e1h1", sheet.rules["path"])
    game.refused("e1g3", sheet.rules["step"])
    assert sheet.duel("Fa1 2e1", "Fh8 7h7").play("e1e8")[0].public["to"] == "e8"


@pytest.mark.rule(classic=("B22", "B28"), general=("A13", "A15"))
def test_only_scouts_attack_from_afar_and_no_friends(sheet):
    game = sheet.duel("Fa1 2e1 7g1 6f3", "Se5 7f5" + FAR)
    game.refused("f3f5", sheet.rules["far_strike"])
    game.refused("e1g1", sheet.rules["occupied"])

    event = game.play("e1e5")[0]

    assert (event.kind, event.public["winner"]) == ("fought", "attacker")
    assert game.on("e5") == "red 2"


@pytest.mark.rule(classic=("B20", "BI3"), general="AI3")
def test_a_scout_that_runs_shows_what_it_is(sheet):
    game = sheet.duel("Fa1 2e1", "Fh8 7h7")
    assert [event.kind for event in game.play("e1e2")] == ["moved"]
    assert sheet.view(game.state, "blue")["pieces"][1]["rank"] is None

    moved, revealed = game.play("h7g7", "e2e4")

    assert (moved.kind, revealed.seen_by("blue")) == (
        "moved",
        {"type": "revealed", "seat": "red", "piece": "r2", "rank": "2"},
    )
    assert sheet.view(game.state, "blue")["pieces"][1]["rank"] == "2"


@pytest.mark.rule(classic="B23", general="A15")
@pytest.mark.parametrize("target", ["e5", "e3", "d4", "f4"])
def test_a_piece_attacks_before_beside_and_behind_it(sheet, target):
    game = sheet.duel("Fa1 9e4", f"7{target} 7f5" + FAR)
    game.refused("e4f5", sheet.rules["step"])

    assert game.play(f"e4{target}")[0].kind == "fought"
    assert game.turn == "blue"


@pytest.mark.rule(classic="B24", general=("A16", "A17"))
def test_both_name_their_ranks_and_both_stay_known(sheet):
    game = sheet.duel("Fa1 8e4", "7e5" + FAR)

    assert [event.seen_by("public") for event in game.play("e4e5")] == [
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
    seen = {piece["id"]: piece for piece in sheet.view(game.state, "blue")["pieces"]}
    flag, colonel = (
        [seen[piece][key] for key in ("rank", "revealed", "moved")] for piece in ("r1", "r2")
    )
    assert (flag, colonel) == ([None, False, False], ["8", True, True])


@pytest.mark.rule(classic=("B25", "B29"), general=("A18", "A19", "A21"))
def test_higher_rank_wins_and_stands_on_square(sheet):
    for attacker, defender in product(sheet.ladder, repeat=2):
        ahead = sheet.ladder.index(attacker) - sheet.ladder.index(defender)
        expected = "attacker" if ahead > 0 else "defender" if ahead else "none"
        if attacker + defender == "S" + sheet.leader:
            expected = "attacker"
        left = {"attacker": f"red {attacker}", "defender": f"blue {defender}", "none": None}

        game, winner = sheet.fight(attacker, defender)

        assert winner == expected, (attacker, defender)
        assert (game.on("e4"), game.on("e5")) == (None, left[expected])


@pytest.mark.rule(classic="B26", general="A20")
def test_equal_ranks_both_leave_the_game(sheet):
    for rank in sheet.ladder:
        game, winner = sheet.fight(rank, rank)

        assert winner == "none"
        gone = sheet.view(game.state, "public")["captured"]
        assert [(each["seat"], each["rank"]) for each in gone] == [("red", rank), ("blue", rank)]


@pytest.mark.rule(classic="B27", general="A22")
def test_nobody_is_ever_obliged_to_attack(sheet):
    game = sheet.duel("Fa1 7e4", "7e5" + FAR)

    assert game.moves_from("e4") == {"e5", "e3", "d4", "f4"}
    game.play("e4e3")
    assert game.on("e5") == "blue 7"


@pytest.mark.rule(general="A23")
@pytest.mark.parametrize(("first", "attack"), [("red", "e4e5"), ("blue", "e5e4")])
def test_either_side_may_attack_on_its_turn(sheet, first, attack):
    assert attack in sheet.duel("Fa1 7e4", "8e5 Fh8", to_move=first).moves()


@pytest.mark.rule(classic="B30", general="A24")
def test_bomb_attacker_falls_and_bomb_stays(sheet):
    afar = sheet.duel("Fa1 2e1 7h1", "Be5" + FAR)
    assert afar.play("e1e5")[0].public["winner"] == "defender"

    fights = [sheet.fight(rank, "B") for rank in sheet.ladder.replace("3", "")]

    assert {winner for _, winner in fights} == {"defender"}
    for game in (afar, *(game for game, _ in fights)):
        assert (game.on("e4"), game.on("e5")) == (None, "blue B")


@pytest.mark.rule(general="A25")
def test_a_bomb_that_goes_off_is_called_out(sheet):
    game = sheet.duel("Fa1 7e4 3f4 7h1", "Be5 Bf5" + FAR)

    assert game.play("e4e5")[0].public["boom"] is True
    assert game.play("h7g7", "f4f5")[0].public["boom"] is False


@pytest.mark.rule(classic="B31", general="A26")
def test_miner_removes_bomb_and_takes_its_place(sheet):
    game, winner = sheet.fight("3", "B")

    assert (winner, game.on("e4"), game.on("e5")) == ("attacker", None, "red 3")


@pytest.mark.rule(classic="B32", general="A29")
def test_every_piece_that_attacks_the_spy_wins(sheet):
    others = sheet.ladder[1:]

    assert {sheet.fight(rank, "S")[1] for rank in others} == {"attacker"}
    assert {sheet.fight("S", rank)[1] for rank in others[:-1]} == {"defender"}


@pytest.mark.rule(classic=("B32b", "B32c"), general=("A28", "A29"))
def test_attacker_wins_between_spy_and_leader(sheet):
    for attacker, defender in (("S", sheet.leader), (sheet.leader, "S")):
        game, winner = sheet.fight(attacker, defender)

        assert (winner, game.on("e5")) == ("attacker", f"red {attacker}")


@pytest.mark.rule(classic="B34", general="A30")
@pytest.mark.parametrize("rest", ["Fa1", "Fa1 Bb1 Ba2", "Fa1 Ba3 3a2 Bb2 Bb1"])
def test_who_cannot_move_has_lost_at_once(sheet, rest):
    game = sheet.duel("Fh1 7e4", f"2e5 {rest}")

    game.play("e4e5")

    assert game.ending == ("no_moves", sheet.wins("red"))
    assert sheet.variant.asked(game.state) == ()


@pytest.mark.rule(classic="B35")
def test_what_was_captured_lies_open_for_both(sheet):
    game = sheet.duel("Fa1 8e4", "7e5" + FAR)
    game.play("e4e5")

    for observer in ("red", "blue", "public"):
        captured = sheet.view(game.state, observer)["captured"]
        assert captured == [{"id": "b1", "seat": "blue", "rank": "7"}]


@pytest.mark.rule(classic="BX4", general="AX5")
def test_resigning_loses_and_both_at_once_draws(sheet):
    game = sheet.duel("Fa1 7e4", "Fa8 7g7")
    game.play("resign")
    states = [sheet.begin() for _ in range(2)]
    for state, answer in zip(states, ("resign", sheet.army), strict=True):
        assert sheet.variant.apply(state, "blue", "resign") == ()
        sheet.variant.apply(state, "red", answer)

    assert game.ending == (Termination.RESIGNED, sheet.wins("blue"))
    assert game.result is not None
    assert game.result.fault is None
    endings = [Duel(sheet.variant, state).ending[1] for state in states]
    assert endings == [DRAWN, sheet.wins("red")]
