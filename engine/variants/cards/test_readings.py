"""Readings where the sheet is silent (CI), from other sources (CE), and house rules (CX)."""

from collections import Counter

import pytest

from engine.errors import IllegalDeployment
from engine.outcome import Termination
from engine.rng import Rng
from engine.variants.cards.deck import DECKS
from engine.variants.cards.rules import VARIANT
from tests.unit.engine.tables import dealt, gaps, table

DRAWN = {"red": 0.5, "blue": 0.5}
RED_WINS = {"red": 1.0, "blue": 0.0}


@pytest.mark.rule("CI1")
def test_empty_pile_draws_nothing_and_loses_nothing() -> None:
    game = table("47F..", "59F.. 3 2")

    game.play("2x1")

    assert (game.hand("blue"), game.sees("full", "blue")["pile"]) == ("23", 0)
    game.play("2x1", "1=2,4=3", "2x1")
    assert (game.hand("blue"), game.phase, game.turn) == ("", "turn", "blue")


@pytest.mark.rule("CI2")
def test_gaps_hand_cannot_fill_stay_open_until_later() -> None:
    game = table("47F.. 9 286", "B8F5.")

    game.play("1x2", "1=9")

    assert (game.line("red"), game.hand("red")) == ("97F..", "")
    game.play("2x2")
    assert (game.line("red"), game.hand("red")) == ("9.F..", "268")
    game.play("1x4", "2=2,4=6,5=8")
    assert gaps(game, "red") == 0


@pytest.mark.rule("CI3")
def test_shown_spy_or_scout_face_down_but_known() -> None:
    game = table("S24F.", "B78F.")

    game.play("1s", "3x3", "2l12")

    assert game.line("red", "blue") == "S2.?."
    assert game.line("blue", "public") == "??8?."


@pytest.mark.rule("CI4")
def test_surviving_bomb_lies_face_down_but_known() -> None:
    game = table("45F..", "B78F.")

    game.play("1x1")

    assert game.line("blue", "red") == game.line("blue", "public") == "B???."
    assert game.sees("red", "blue")["line"][0]["revealed"]


@pytest.mark.rule("CI5")
def test_under_eight_cards_fill_line_from_slot_1() -> None:
    game = table("F4... S", "7F... M")
    game.play("1f")
    hand = game.hand("red")

    assert (sorted(hand), game.sees("red", "red")["pile"]) == (["4", "F", "S"], 0)
    game.refused(hand[:2], "C21", kind=IllegalDeployment)
    game.play(hand)
    assert (game.line("red"), game.hand("red"), game.turn) == (hand + "..", "", "blue")


@pytest.mark.rule("CI6")
def test_player_to_move_loses_if_nobody_can_attack() -> None:
    game = table("4BF..", "4BF..")

    game.play("1x1")

    assert game.ending == ("no_attackers", RED_WINS)


@pytest.mark.rule("CI7")
def test_an_empty_line_cannot_attack_either() -> None:
    game = table("7B..F", "4.... F", chain_attacks=True)

    game.play("1x1")

    assert game.ending == ("no_attackers", RED_WINS)


@pytest.mark.rule("CI8")
def test_a_spy_may_look_at_an_empty_hand() -> None:
    game = table("SF...", "7F...")

    assert "1s" in game.legal()
    assert game.play("1s")[1].seen_by("red") == {
        "type": "peeked", "seat": "red", "count": 0, "ranks": [],
    }  # fmt: skip


@pytest.mark.rule("CE1", "CE2")
def test_there_are_two_lists_of_the_23_cards() -> None:
    default, other = (Counter(deck) for deck in DECKS.values())

    assert default == Counter("FBBBS2222333444556" + "6789M")
    assert (default - other, other - default) == (Counter("4"), Counter("3"))
    game = dealt(1, deck="card_battle_minus_infiltrator")
    assert VARIANT.view(game.state, "red")["deck"] == other
    state = game.state
    assert Counter(state.rank[card] for card in state.cards_of(1)) == other


@pytest.mark.rule("CE3")
def test_owner_may_fill_gap_at_once() -> None:
    game = table("47F.. 5", "B6F5. 289 M", refill="immediate")

    game.play("2x2")

    assert (game.turn, game.phase) == ("blue", "fill")
    game.play("2=8,5=9")
    assert (game.turn, game.phase, game.line("blue")) == ("red", "fill", "B8F59")
    game.play("5=5")
    assert (game.turn, game.phase, game.hand("blue")) == ("blue", "turn", "2M")


@pytest.mark.rule("CE4")
def test_winning_card_may_attack_again_or_stop() -> None:
    game = table("47F.. 5", "B6F5M 289", chain_attacks=True)

    game.play("2x2")
    assert (game.turn, game.phase) == ("red", "chain")
    assert VARIANT.view(game.state, "public")["again"] == 2
    assert game.legal() == ["2x1", "2x3", "2x4", "2x5", "stop"]
    game.refused("1x1", "CE4")
    game.refused("4=5", "C9")
    game.play("2x4")
    game.play("stop")
    assert (game.turn, game.phase) == ("red", "fill")
    game.play("4=5")
    assert game.turn == "blue"

    lost = table("47F..", "B6F5M 289", chain_attacks=True)
    won = table("47F..", "B6F5M 289", chain_attacks=True)
    won.play("2x2", "2x3")
    assert VARIANT.view(won.state, "full")["again"] is None
    lost.play("2x2", "2x5")
    assert lost.turn == "blue"


@pytest.mark.rule("CE4")
def test_chain_goes_on_after_gap_filled_immediately() -> None:
    game = table("47F.. 5", "B6F5. 8", chain_attacks=True, refill="immediate")

    game.play("2x2")
    assert (game.turn, VARIANT.view(game.state, "public")["again"]) == ("blue", None)
    game.play("2=8")

    assert (game.turn, game.phase) == ("red", "chain")
    game.play("2x2", "2=5")
    assert (game.turn, game.phase, game.line("red")) == ("blue", "turn", "45F..")


@pytest.mark.rule("CX1")
def test_game_drawn_after_max_turns() -> None:
    game = table("2F8..", "2F8..", max_turns=3)

    game.play("1l12", "1l12", "1l12")

    assert game.ending == ("turn_cap", DRAWN)
    assert VARIANT.options["max_turns"].default == 400


@pytest.mark.rule("CX2")
def test_game_drawn_after_turns_without_fight() -> None:
    game = table("2F84.", "2F83.", no_fight_turns=3)

    game.play("1l12", "1l12", "4x4", "1l12", "1l12")
    assert VARIANT.view(game.state, "public")["no_fight_turns"] == 2
    game.play("1l12")

    assert game.ending == ("no_attack_cap", DRAWN)
    assert VARIANT.options["no_fight_turns"].default == 50


@pytest.mark.rule("CX1", "CX2")
def test_without_caps_looks_may_go_on() -> None:
    game = table("2F8..", "2F8..", max_turns=None, no_fight_turns=None)

    game.play(*["1l12"] * 500)

    assert (game.phase, game.state.turns) == ("turn", 500)


@pytest.mark.rule("CX3")
def test_card_cannot_be_followed_from_hand_into_line() -> None:
    game = table("SF4..", "7F42. 229 6")
    game.play("1s")
    assert game.hand("blue", "red") == "229"

    filled, began = game.play("1x3", "5=9")

    assert filled.seen_by("red") == {
        "type": "filled", "seat": "blue", "slots": [5], "cards": ["b5"],
    }  # fmt: skip
    assert began.seen_by("blue") == {
        "type": "began", "seat": "red", "turn": 2, "no_fight_turns": 0,
    }  # fmt: skip
    assert game.line("blue", "red") == "7????"
    assert game.hand("blue", "red") == "2?"


@pytest.mark.rule("CX4")
def test_gaps_may_be_filled_before_stuck_check() -> None:
    saved = table("47F..", "B5F.. 389 M", refill_before_stuck_check=True)
    lost = table("47F..", "B5F.. 389 M")

    saved.play("2x2")
    lost.play("2x2")

    assert lost.ending == ("no_attackers", RED_WINS)
    assert (saved.turn, saved.phase) == ("blue", "fill")
    saved.refused("2x2", "C9")
    saved.play("2=3,4=8,5=9")
    assert (saved.turn, saved.phase) == ("blue", "turn")
    able = table("47F..", "B54.. 389 M", refill_before_stuck_check=True)
    able.play("2x2")
    assert (able.turn, able.phase) == ("blue", "fill")
    never = table("47F..", "B5F..", refill_before_stuck_check=True)
    never.play("2x2")
    assert never.ending == ("no_attackers", RED_WINS)


@pytest.mark.rule("CX5")
def test_flag_trick_may_save_line_without_attackers() -> None:
    saved = table("47F..", "B5F.. 389 M", flag_trick_saves=True)
    without = table("4.7F.", "B5B.. 389F", flag_trick_saves=True)

    saved.play("2x2")
    without.play("3x2")

    assert saved.legal() == ["3f"]
    assert without.ending == ("no_attackers", RED_WINS)
    saved.play("3f")
    saved.play(VARIANT.sample(saved.state, "blue", Rng(1)))
    assert (saved.turn, saved.phase) == ("red", "turn")


@pytest.mark.rule("CX6")
@pytest.mark.parametrize("actions", [(), ("2x1",), ("2x1", "2x1")])
def test_who_resigns_loses_in_any_phase(actions: tuple[str, ...]) -> None:
    game = table("47F..", "59F.. 3 2")
    game.play(*actions)
    seat = game.turn

    game.play("resign")

    points = {each: float(each != seat) for each in VARIANT.seats}
    assert game.ending == (Termination.RESIGNED, points)


@pytest.mark.rule("CX6")
def test_both_resigning_before_first_turn_is_draw() -> None:
    game = dealt()

    assert VARIANT.apply(game.state, "blue", "resign") == ()
    VARIANT.apply(game.state, "red", "resign")

    assert game.ending == (Termination.RESIGNED, DRAWN)
