"""The rules of `cards`, sentence by sentence of the sheet (ids C1 to C25).

One test for every sentence, in the order of the sheet.
"""

from collections import Counter
from itertools import permutations

import pytest

from engine.errors import IllegalDeployment, MalformedAction
from engine.rng import Rng
from engine.variants.cards.deck import DECKS, LADDER
from engine.variants.cards.rules import VARIANT
from engine.variants.cards.state import SEATS
from tests.unit.engine.tables import Table, dealt, gaps, opened, table

RED_WINS = {"red": 1.0, "blue": 0.0}
BLUE_WINS = {"red": 0.0, "blue": 1.0}


def fight(attacker, defender):
    """Let red's slot 2 attack blue's slot 4; give the game and the words of the fight."""
    game = table(f"B{attacker}F..", f"..7{defender}.")
    return game, game.play("2x4")[0].public


@pytest.mark.rule("C1")
def test_goal_is_hidden_enemy_flag():
    game = table("F4...", "5F7..")

    assert game.line("blue", "red") == "???.."
    game.play("2x2")
    assert game.ending == ("flag_captured", RED_WINS)


@pytest.mark.rule("C2")
def test_both_decks_have_the_same_23_cards():
    state = dealt().state

    decks = [Counter(state.rank[card] for card in state.cards_of(seat)) for seat in (0, 1)]

    assert decks[0] == decks[1] == DECKS["battle_cards_23"]
    assert decks[0].total() == 23


@pytest.mark.rule("C3")
def test_one_player_is_red_the_other_blue():
    game = opened()

    assert VARIANT.seats == ("red", "blue")
    for seat in SEATS:
        assert {card["id"][0] for card in game.sees("public", seat)["line"]} == {seat[0]}


@pytest.mark.rule("C4")
def test_each_deck_is_shuffled_and_deals_eight_cards():
    game, again, other = dealt(1), dealt(1), dealt(2)
    whole = [game.sees("full", seat) for seat in SEATS]

    for seat, shown in zip(SEATS, whole, strict=True):
        assert (len(shown["hand"]), shown["pile"], len(shown["pile_order"])) == (8, 15, 15)
        assert game.sees("public", seat)["pile_order"] is None
        assert game.sees(seat, seat)["pile_order"] is None
    assert whole == [again.sees("full", seat) for seat in SEATS]
    assert whole != [other.sees("full", seat) for seat in SEATS]
    assert whole[0] != whole[1]


@pytest.mark.rule("C5")
def test_any_five_of_eight_form_line_any_order():
    start = dealt(3)
    hand = start.hand("red")

    for line in {"".join(line) for line in permutations(hand, 5)}:
        game = Table(VARIANT, VARIANT.copy(start.state))
        VARIANT.apply(game.state, "red", line)
        VARIANT.apply(game.state, "blue", game.hand("blue")[:5])
        assert game.line("red") == line
        assert Counter(game.hand("red")) == Counter(hand) - Counter(line)


@pytest.mark.rule("C5")
def test_line_of_other_cards_or_length_is_refused():
    game = dealt(3)
    hand = game.hand("red")
    absent = next(rank for rank in LADDER if rank not in hand)

    for wrong in (hand[:4], hand[:6], hand, hand[:4] + absent, hand[0] * 5):
        game.refused(wrong, "C5", "red", IllegalDeployment)
    VARIANT.apply(game.state, "red", hand[:5])
    game.refused(hand[:5], "C5", "red")
    for other_step in ("", "pass", "stop", "2x4", "2l14", "1=3"):
        game.refused(other_step, "C5", "blue")
    for nonsense in ("M5x22", "m5322", "M 5322"):
        game.refused(nonsense, "", "blue", MalformedAction)


@pytest.mark.rule("C5")
def test_line_is_chosen_unseen_by_opponent():
    game = dealt()
    before = {who: VARIANT.view(game.state, who) for who in ("blue", "public")}

    assert VARIANT.apply(game.state, "red", game.hand("red")[:5]) == ()

    assert {who: VARIANT.view(game.state, who) for who in before} == before
    events = VARIANT.apply(game.state, "blue", game.hand("blue")[:5])
    assert [event.seen_by("blue").keys() for event in events] == [
        {"type", "seat", "cards"},
        {"type", "seat", "cards", "deployment"},
        {"type", "seat", "turn", "no_fight_turns"},
    ]
    assert (game.line("red", "blue"), game.hand("red", "blue")) == ("?????", "???")


@pytest.mark.rule("C6")
def test_the_pile_stays_as_it_was():
    game = dealt()
    piles = [game.sees("full", seat)["pile_order"] for seat in SEATS]
    for seat in SEATS:
        VARIANT.apply(game.state, seat, game.hand(seat)[:5])

    assert [game.sees("full", seat)["pile_order"] for seat in SEATS] == piles


@pytest.mark.rule("C7")
@pytest.mark.parametrize("first", SEATS)
def test_red_begins_whoever_was_ready_first(first):
    game = dealt()
    for seat in (first, *(other for other in SEATS if other != first)):
        VARIANT.apply(game.state, seat, game.hand(seat)[:5])

    assert (game.turn, game.phase) == ("red", "turn")


@pytest.mark.rule("C8")
def test_the_own_line_is_seen_at_any_time():
    game = opened()

    for _ in range(12):
        for seat in SEATS:
            assert game.line(seat, seat) == game.line(seat, "full")
        game.play(game.legal()[0])
    looked_at = table("24F..", "B7F..")
    looked_at.play("1l13")
    assert looked_at.line("blue", "blue") == "B7F.."
    assert looked_at.line("red", "red") == "24F.."


@pytest.mark.rule("C9")
def test_turn_steps_come_in_order():
    game = table("B4F.. 39S 5", "B7F.. M")

    game.refused("4=3", "C9")
    game.refused("B439S", "C9")
    game.refused("2x2", "C9", "blue")
    game.play("2x1")
    assert (game.turn, game.phase) == ("red", "fill")
    for other_step in ("3x1", "stop", "pass", "B439S"):
        game.refused(other_step, "C9")
    game.play("2=3,4=9,5=S")
    assert (game.turn, game.phase) == ("blue", "turn")


@pytest.mark.rule("C10")
def test_hand_is_refilled_to_three_from_pile():
    game = table("47F..", "B7F.. M S2345")

    events = game.play("1x2")

    assert (game.hand("blue"), game.sees("full", "blue")["pile_order"]) == ("S2M", ["3", "4", "5"])
    assert events[-1].seen_by("blue") == {
        "type": "drew", "seat": "blue", "count": 2, "ranks": ["S", "2"],
    }  # fmt: skip
    assert events[-1].seen_by("red") == {"type": "drew", "seat": "blue", "count": 2}


@pytest.mark.rule("C11")
def test_one_line_card_attacks_one_enemy_line_card():
    game = table("B4F.7 9", "3..M. 2")

    assert game.legal() == ["2x1", "2x4", "3f", "5x1", "5x4"]
    game.refused("4x1", "C11")
    game.refused("2x2", "C11")
    for way_out in ("pass", "", "-", "stop"):
        game.refused(way_out, "C11")
    for nonsense in ("9x1", "2x6", "2x", "x1", "2X1", " 2x1", "2x1\n", "²x1", "a4a5"):
        game.refused(nonsense, "", kind=MalformedAction)


@pytest.mark.rule("C12")
def test_gaps_are_filled_from_hand_then_turn_ends():
    game = table("45F.B 39S", "B7F.. M")
    game.play("1x2")

    assert (game.line("red"), game.phase) == (".5F.B", "fill")
    assert len(game.legal()) == 6
    game.refused("1=3", "C12")
    game.refused("1=3,2=9", "C12")
    game.refused("1=3,4=3", "C12")
    game.refused("1=M,4=3", "C12")
    for nonsense in ("4=3,1=9", "1=3,1=9", "1=3,", "1=3;4=9", "6=3", "1=X"):
        game.refused(nonsense, "", kind=MalformedAction)
    game.play("1=3,4=9")
    assert (game.line("red"), game.hand("red"), game.turn) == ("35F9B", "S", "blue")


@pytest.mark.rule("C12")
def test_gap_made_by_enemy_stays_until_third_step():
    game = table("47F.. 5", "B6F5. 289 M")

    game.play("2x2", "4=5")

    assert (game.turn, game.phase, game.line("blue")) == ("blue", "turn", "B.F5.")
    game.play("4x1")
    assert (game.turn, game.phase, gaps(game, "blue")) == ("blue", "fill", 2)


@pytest.mark.rule("C13")
@pytest.mark.parametrize("observer", ["red", "blue", "public"])
def test_both_cards_of_fight_are_shown_to_all(observer):
    game = table("B4F..", "..7M.")
    event = game.play("2x4")[0]

    assert event.seen_by(observer) == {
        "type": "fought",
        "seat": "red",
        "from": "r2",
        "to": "b4",
        "attacker": {"id": "r2", "rank": "4"},
        "defender": {"id": "b2", "rank": "M"},
        "winner": "defender",
        "boom": False,
    }


@pytest.mark.rule("C14")
def test_winner_returns_to_slot_face_down_but_known():
    attacker, _ = fight("8", "5")
    defender, _ = fight("5", "8")

    assert (attacker.line("red"), attacker.line("blue")) == ("B8F..", "..7..")
    assert attacker.line("red", "blue") == "?8?.."
    assert (defender.line("red"), defender.line("blue")) == ("B.F..", "..78.")
    assert defender.line("blue", "red") == "..?8."
    assert defender.sees("red", "blue")["line"][3]["revealed"]


@pytest.mark.rule("C15")
@pytest.mark.parametrize("attacker", LADDER)
def test_lower_card_is_out_and_equals_both_out(attacker):
    for defender in LADDER:
        if defender == "7" or (attacker, defender) == ("S", "M"):
            continue  # the seven of the set-up; C16
        higher = LADDER.index(attacker) - LADDER.index(defender)
        game, said = fight(attacker, defender)
        winner = "attacker" if higher > 0 else "defender" if higher < 0 else "none"
        assert said["winner"] == winner
        assert game.line("red")[1] == ("." if winner != "attacker" else attacker)
        assert game.line("blue")[3] == ("." if winner != "defender" else defender)


@pytest.mark.rule("C16")
def test_the_spy_beats_the_marshal_when_it_attacks():
    game, said = fight("S", "M")

    assert said["winner"] == "attacker"
    assert (game.line("red"), game.line("blue")) == ("BSF..", "..7..")


@pytest.mark.rule("C17")
@pytest.mark.parametrize("attacker", LADDER[1:])
def test_attacked_spy_loses_to_every_other_rank(attacker):
    game, said = fight(attacker, "S")

    assert said["winner"] == "attacker"
    assert game.line("red")[1] == attacker


@pytest.mark.rule("C18")
def test_spy_look_at_hand_counts_as_attack():
    game = table("SF...", "B7F.. M28")
    before = game.removed()

    revealed, peeked, _ = game.play("1s")

    assert revealed.public["rank"] == "S"
    assert peeked.seen_by("red")["ranks"] == ["2", "8", "M"]
    assert peeked.seen_by("blue").keys() == peeked.seen_by("public").keys() == {
        "type", "seat", "count",
    }  # fmt: skip
    assert game.hand("blue", "red") == "28M"
    assert game.hand("blue", "public") == "???"
    assert game.line("red", "blue") == "S?..."
    assert (game.removed(), game.turn) == (before, "blue")


@pytest.mark.rule("C18")
def test_only_spy_in_line_looks_at_hand():
    game = table("2F... S", "B7F.. M28")

    game.refused("1s", "C18")
    game.refused("3s", "C11")


@pytest.mark.rule("C18b")
def test_scout_look_at_two_cards_counts_as_attack():
    game = table("2F...", "B7F.M 56")
    looks = [action for action in game.legal() if "l" in action]

    assert looks == ["1l12", "1l13", "1l15", "1l23", "1l25", "1l35"]
    events = game.play("1l25")

    assert [event.seen_by("red")["rank"] for event in events[:3]] == ["2", "7", "M"]
    assert [event.seen_by("blue").get("rank") for event in events[:3]] == ["2", None, None]
    assert [event.public["to"] for event in events[1:3]] == ["b2", "b5"]
    assert [event.kind for event in events[3:]] == ["began"]
    assert (game.line("blue", "red"), game.line("blue", "public")) == ("?7?.M", "???.?")
    assert [card and card["seen"] for card in game.sees("blue", "blue")["line"]] == [
        False, True, False, None, True,
    ]  # fmt: skip
    assert (game.line("red", "blue"), game.turn) == ("2?...", "blue")


@pytest.mark.rule("C18b")
def test_scout_looks_at_one_card_if_alone():
    game, alone = table("24F..", "B7F.M"), table("24F..", "..7..")

    game.refused("1l1", "C18b")
    game.refused("1l14", "C18b")
    game.refused("2l12", "C18b")
    for nonsense in ("1l21", "1l11", "1l123", "1l"):
        game.refused(nonsense, "", kind=MalformedAction)
    assert [action for action in alone.legal() if "l" in action] == ["1l3"]
    alone.play("1l3")
    assert alone.line("blue", "red") == "..7.."


@pytest.mark.rule("C18c")
def test_nobody_has_to_look():
    assert table("S2F..", "7....").legal() == ["1x1", "1s", "2x1", "2l1", "3f"]


@pytest.mark.rule("C19a")
@pytest.mark.parametrize("attacker", LADDER.replace("3", ""))
def test_bomb_attacker_is_out_and_bomb_stays(attacker):
    game, said = fight(attacker, "B")

    assert (said["winner"], said["boom"]) == ("defender", True)
    assert (game.line("red"), game.line("blue")) == ("B.F..", "..7B.")


@pytest.mark.rule("C19b")
def test_miner_removes_bomb_and_stays_in_line():
    game, said = fight("3", "B")

    assert (said["winner"], said["boom"]) == ("attacker", False)
    assert (game.line("red"), game.line("blue")) == ("B3F..", "..7..")


@pytest.mark.rule("C19c")
def test_bombs_and_the_flag_never_attack():
    game = table("B4F..", "7....")

    assert game.legal() == ["2x1", "3f"]
    assert "a bomb cannot attack" in game.refused("1x1", "C19c")
    assert "a flag cannot attack" in game.refused("3x1", "C19c")


@pytest.mark.rule("C20")
@pytest.mark.parametrize("attacker", LADDER)
def test_taking_flag_wins_but_seeing_it_does_not(attacker):
    game = table(f"B{attacker}.F2", "7..F.")
    game.play("5l14", "1x1")
    assert game.line("blue", "red")[3] == "F"
    assert game.phase != "over"

    game = table(f"B{attacker}F..", "7..F.")
    game.play("2x4")
    assert game.ending == ("flag_captured", RED_WINS)


@pytest.mark.rule("C21")
def test_flag_trick_mixes_all_and_deals_eight_cards():
    game = table("F4... 39S 22556", "7F... M")
    gone = game.removed()

    revealed, redealt = game.play("1f")

    assert (revealed.public["rank"], redealt.public) == (
        "F",
        {"seat": "red", "count": 8, "pile": 2},
    )
    assert (game.turn, game.phase, game.line("red")) == ("red", "deploy", ".....")
    mixed = game.hand("red") + "".join(game.sees("full", "red")["pile_order"])
    assert Counter(mixed) == Counter("F439S22556")
    assert redealt.seen_by("red")["ranks"] == list(game.hand("red"))
    assert "ranks" not in redealt.seen_by("blue")
    absent = next(rank for rank in "8M7" if rank not in mixed)
    game.refused(game.hand("red")[:4] + absent, "C21", kind=IllegalDeployment)
    line = game.hand("red")[3:]
    game.play(line)
    assert (game.line("red"), len(game.hand("red")), game.turn) == (line, 3, "blue")
    assert game.removed() == gone


@pytest.mark.rule("C21")
def test_every_trick_mixes_the_cards_anew():
    game, deals = table("F4... 39S 22556", "7F2.."), []

    for _ in range(2):
        game.play(f"{game.line('red').index('F') + 1}f")
        deals.append((game.hand("red"), game.sees("full", "red")["pile_order"]))
        game.play("F" + game.hand("red").replace("F", "")[:4])
        game.play("3l12")

    assert deals[0] != deals[1]


@pytest.mark.rule("C21")
def test_only_flag_in_line_does_trick():
    game = table("B4... F", "7F... M")

    game.refused("1f", "C21")
    game.refused("2f", "C21")


@pytest.mark.rule("C22")
def test_the_flag_trick_counts_as_the_attack():
    game = table("F4... 39S 22556", "7F... M")
    game.play("1f")
    for other_step in ("2x1", "1f", "1=3", "pass"):
        game.refused(other_step, "C22")

    game.play(VARIANT.sample(game.state, "red", Rng(1)))

    assert (game.turn, game.phase) == ("blue", "turn")


@pytest.mark.rule("C23")
def test_flag_trick_makes_opponent_forget_all_cards():
    """Six cards are left, so that five of them are in line again whatever the chance."""
    game = table("F84.. 333", "S27F. M6", to_move="blue")
    game.play("1s", "5=M", "2x1", "4=3,5=3", "2l13", "1=6")
    assert (game.line("red", "blue"), game.hand("red", "blue")) == ("F84??", "3")

    game.play("1f", "3F483")

    assert (game.line("red", "blue"), game.hand("red", "blue")) == ("?????", "?")
    names = [card["id"] for card in game.sees("blue", "red")["line"]]
    assert names == ["r6", "r7", "r8", "r9", "r10"]
    twins = [Table(VARIANT, VARIANT.redeal(game.state, "blue", Rng(n))) for n in range(60)]
    assert {twin.hand("red") for twin in twins} == set("F843")


@pytest.mark.rule("C24")
def test_flag_in_line_can_be_taken_and_return():
    game = table("F4... 39S 22556", "7F... M")
    game.play("1f")
    hand = game.hand("red")
    assert "F" in hand  # with this rng_seed
    game.play("F" + hand.replace("F", "")[:4])

    game.play("1x1")

    assert game.ending == ("flag_captured", BLUE_WINS)


@pytest.mark.rule("C25")
@pytest.mark.parametrize("line", ["BB.F.", "B....", "..F..", "BBB.."])
def test_only_bombs_or_flag_in_line_loses(line):
    game = table("47...", f"{line[:4]}5 389 M" if line[4] == "." else line)

    events = game.play("2x5")

    assert game.ending == ("no_attackers", RED_WINS)
    assert events[-1].seen_by("public") == {
        "type": "ended", "points": RED_WINS, "termination": "no_attackers",
    }  # fmt: skip


@pytest.mark.rule("C25")
def test_line_without_attacker_is_judged_on_players_turn():
    game = table("4BF..", "57F.. 3")

    game.play("1x1")

    assert (game.line("red"), game.phase) == (".BF..", "turn")
    game.play("2x2", "2=3")
    assert game.ending == ("no_attackers", BLUE_WINS)
