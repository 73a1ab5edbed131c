"""The rules of `skirmish`, sentence by sentence (ids E1 to E19)."""

from collections import Counter
from typing import Any

import pytest

from engine.errors import IllegalDeployment
from engine.outcome import Termination
from engine.registry import resolve_options
from engine.variants.skirmish.rules import SPEC, VARIANT
from tests.unit.engine.positions import Duel, deployed, place

ARMY = "FB223S6M"
LADDER = "S236M"  # weakest first
FAR = " Fe5 3e4"  # a blue flag and a blue piece that can move, out of the way
CIRCLE = ("e4e3", "e3d3", "d3d4", "d4e4")  # what blue does meanwhile


def duel(red: str, blue: str, **options: Any) -> Duel:
    return place("skirmish", red=red, blue=blue, **options)


def fight(attacker: str, defender: str) -> tuple[Duel, str]:
    """Let red's piece on b2 attack blue's on b3; give the game and the winner."""
    game = duel(f"Fa1 3e1 {attacker}b2", f"{defender}b3{FAR}")
    return game, game.play("b2b3")[0].public["winner"]


def shuttled(times: int, **options: Any) -> Duel:
    game = duel("Fa1 6b1 3c1", "Fa5 3e4", **options)
    for number in range(times):
        game.play("b2b1" if number % 2 else "b1b2", CIRCLE[number % 4])
    return game


@pytest.mark.rule("E1")
def test_the_board_is_five_by_five_and_dry():
    board = VARIANT.view(deployed("skirmish", ARMY, ARMY).state, "public")["board"]

    assert board == {"files": 5, "ranks": 5, "lakes": []}


@pytest.mark.rule("E2")
@pytest.mark.parametrize("wrong", ["BB223S6M", "FB223S66", "FB22SS6M"])
def test_army_has_eight_pieces_of_stated_ranks(wrong):
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)

    with pytest.raises(IllegalDeployment) as refusal:
        VARIANT.apply(state, "red", wrong)

    assert refusal.value.rule == "E2"
    assert dict(SPEC.army) == Counter(ARMY)


@pytest.mark.rule("E3")
def test_the_home_is_a_row_and_three_squares():
    game = deployed("skirmish", ARMY, ARMY)

    red = "".join(str(game.on(square)) for square in ("a1", "b1", "e1", "b2", "d2"))
    assert red == "red F" + "red B" + "red 3" + "red S" + "red M"
    assert [game.on(square) for square in ("e5", "d5", "b4")] == ["blue F", "blue B", "blue M"]
    assert {game.on(square) for square in ("a2", "e2", "a4", "e4", "c3")} == {None}
    state = VARIANT.begin(resolve_options(VARIANT, {}), 0)
    with pytest.raises(IllegalDeployment) as refusal:
        VARIANT.apply(state, "blue", ARMY + "2")
    assert refusal.value.rule == "E3"


@pytest.mark.rule("E4")
def test_red_begins_and_turns_alternate():
    game = deployed("skirmish", ARMY, ARMY)
    assert game.turn == "red"
    game.refused("b4b3", "E4", seat="blue")

    game.play("b2b3")

    assert game.turn == "blue"
    game.refused("d2d3", "E4", seat="red")


@pytest.mark.rule("E5")
def test_a_piece_goes_one_square():
    game = duel("Fa1 6c3 3c2", "Fe5 3e4 2b3")

    assert game.moves_from("c3") == {"b3", "d3", "c4"}
    game.refused("c3d4", "E5")
    game.refused("c3c5", "E5")
    game.refused("c3c2", "E5")


@pytest.mark.rule("E6")
def test_flag_and_bomb_never_move():
    game = duel("Fa1 Bc3 3e1", "Fe5 3e4")

    game.refused("c3c4", "E6")
    game.refused("a1a2", "E6")
    assert game.moves() == {"e1e2", "e1d1"}


@pytest.mark.rule("E7")
def test_a_scout_runs_and_strikes():
    game = duel("Fa1 2b2 6b4 3c1", "Fa5 3e2 3c3")

    assert game.moves_from("b2") == {"a2", "b1", "b3", "c2", "d2", "e2"}
    game.refused("b2b5", "E7")
    game.refused("c1c3", "E7")


@pytest.mark.rule("E8")
@pytest.mark.parametrize("attacker", LADDER)
@pytest.mark.parametrize("defender", LADDER)
def test_the_higher_rank_wins(attacker, defender):
    ahead = LADDER.index(attacker) - LADDER.index(defender)
    expected = "attacker" if ahead > 0 or attacker + defender == "SM" else "defender"
    expected = expected if ahead else "none"

    game, winner = fight(attacker, defender)

    assert winner == expected
    left = {"attacker": f"red {attacker}", "defender": f"blue {defender}", "none": None}
    assert (game.on("b2"), game.on("b3")) == (None, left[expected])


@pytest.mark.rule("E9")
@pytest.mark.parametrize("rank", LADDER)
def test_equals_both_leave(rank):
    game, _ = fight(rank, rank)

    captured = VARIANT.view(game.state, "public")["captured"]
    assert [(gone["seat"], gone["rank"]) for gone in captured] == [("red", rank), ("blue", rank)]


@pytest.mark.rule("E10")
@pytest.mark.parametrize("rank", LADDER)
def test_only_the_miner_removes_the_bomb(rank):
    game, winner = fight(rank, "B")

    assert winner == ("attacker" if rank == "3" else "defender")
    assert game.on("b3") == ("red 3" if rank == "3" else "blue B")


@pytest.mark.rule("E11")
def test_spy_beats_marshal_only_if_attacking():
    assert fight("S", "M")[1] == "attacker"
    assert [fight(rank, "S")[1] for rank in "236M"] == ["attacker"] * 4


@pytest.mark.rule("E12")
def test_piece_shuttles_at_most_five_times():
    assert "b2b1" in shuttled(3).moves()

    shuttled(5).refused("b2b1", "E12")


@pytest.mark.rule("E13")
def test_who_takes_the_flag_wins():
    game = duel("Fa1 2b1", "Fb5 3e4")

    game.play("b1b5")

    assert game.ending == ("flag_captured", {"red": 1.0, "blue": 0.0})


@pytest.mark.rule("E14")
@pytest.mark.parametrize(
    ("red", "termination", "points"),
    [("6", "no_moves", (1.0, 0.0)), ("3", "both_immobile", (0.5, 0.5))],
)
def test_who_has_no_move_loses_at_once(red, termination, points):
    game = duel(f"Fa1 {red}b2", "3b3 Fe5")

    game.play("b2b3")

    assert game.ending == (termination, dict(zip(("red", "blue"), points, strict=True)))


@pytest.mark.rule("E15", "E16")
@pytest.mark.parametrize(
    ("option", "default", "termination"),
    [
        ("max_plies", 2000, "ply_cap"),
        ("no_attack_plies", 200, "no_attack_cap"),
    ],
)
def test_long_games_are_drawn(option, default, termination):
    game = duel("Fa1 6b1", "Fa5 3e4", **{option: 2})

    game.play("b1b2")
    assert game.result is None
    game.play("e4e3")

    assert game.ending == (termination, {"red": 0.5, "blue": 0.5})
    assert VARIANT.options[option].default == default


@pytest.mark.rule("E17")
def test_backs_until_a_piece_has_fought_or_run():
    game = deployed("skirmish", "FB6S322M", "FB6S322M")

    def known() -> set[str]:
        pieces = VARIANT.view(game.state, "blue")["pieces"]
        return {piece["id"] for piece in pieces if piece["seat"] == "red" and piece["rank"]}

    assert known() == set()
    game.play("d2d3", "d4e4", "d3e3", "e4e3")
    assert known() == {"r8"}  # it has beaten a scout
    run = duel("Fa1 2b1 3c1", "Fa5 3e4")
    run.play("b1b3")
    assert VARIANT.view(run.state, "blue")["pieces"][1]["rank"] == "2"


@pytest.mark.rule("E18")
def test_the_options_choose_other_readings():
    shuttled(3, shuttle_limit=3).refused("b2b1", "E12")
    path = duel("Fa1 2b1 3c1", "Fa5 3e4", shuttle_limit=3, shuttle_scout="path")
    path.play("b1b5", "e4e3", "b5b2", "e3d3", "b2b4", "d3d4")
    path.refused("b4b3", "E12")
    duel("Fa1 2b1", "3b3 Fe5", scout_move_and_strike=False).refused("b1b3", "E18")
    bomb = duel("Fa1 6b2 3e1", f"Bb3{FAR}", bomb_survives=False)
    bomb.play("b2b3")
    assert bomb.on("b3") is None
    mover = duel("Fa1 6b2", "Mb3 Fe5", immobile="mover")
    mover.play("b2b3")
    assert mover.result is None
    forget = duel("Fa1 6b2", "3b3 2d5 Fe5", reveal_after_fight="forget")
    forget.play("b2b3")
    assert VARIANT.view(forget.state, "blue")["pieces"][1]["rank"] is None


@pytest.mark.rule("E19")
def test_resigning_loses_and_both_resigning_draws():
    game = duel("Fa1 6b1", "Fa5 3e4")
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
