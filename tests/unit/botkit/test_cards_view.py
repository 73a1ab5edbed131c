"""The card game as a bot reads it."""

import pytest

from botkit import CardsView, view_of
from engine.variants.cards.rules import VARIANT
from tests.unit.engine.tables import Table, table


def seen(game: Table, seat: str) -> CardsView:
    view = view_of(VARIANT.view(game.state, seat))
    assert isinstance(view, CardsView)
    return view


def test_lines_are_by_slot_with_unknown_ranks_empty() -> None:
    game = table("S24F. 39 5", "B78F. M25 66")
    game.play("1s", "5=3", "3x3", "5=2")
    view = seen(game, "red")

    assert (view.seat, view.other, view.phase) == ("red", "blue", "turn")
    assert {slot: card.rank for slot, card in view.own.items()} == {1: "S", 2: "2", 4: "F", 5: "3"}
    assert {slot: card.rank for slot, card in view.enemy.items()} == {
        1: "",
        2: "",
        3: "8",
        4: "",
        5: "",
    }
    assert (view.gaps, view.hand, view.enemy_hand) == ([3], ["5", "9"], ["", ""])
    assert (view.pile, view.enemy_pile, view.quiet_turns, view.again) == (0, 2, 0, None)
    assert view.own[1].revealed
    assert not view.enemy[1].seen


def test_counts_leave_out_removed_and_known_cards() -> None:
    game = table("S2F.. 39 5", "B78F. M62 6")
    view = seen(game, "red")

    hidden = {rank: count for rank, count in view.hidden.items() if count}
    assert hidden == {"B": 1, "7": 1, "8": 1, "F": 1, "M": 1, "6": 2, "2": 1}
    assert {rank: count for rank, count in view.drawable.items() if count} == {"5": 1}
    game.play("1s")
    assert seen(game, "red").enemy_hand == ["2", "6", "M"]
    assert seen(game, "red").hidden["M"] == 0


@pytest.mark.parametrize(
    ("attacker", "defender", "end"), [("S", "M", 1), ("3", "B", 1), ("9", "B", -1)]
)
def test_fights_end_as_the_rules_say(attacker: str, defender: str, end: int) -> None:
    assert seen(table("2F...", "7F..."), "red").fight(attacker, defender) == end
