"""What is known of cards, from where, and how it is shown: decks, names, looks, pictures."""

import pytest

from engine.registry import resolve_options
from engine.rng import Rng
from engine.variants.cards.rules import VARIANT
from engine.variants.cards.state import SEATS
from tests.unit.engine.games import random_game
from tests.unit.engine.tables import Table, dealt, opened, table


def test_pair_games_share_decks_and_flag_tricks() -> None:
    """What comes of a trick hangs on the seed, the seat, which trick it is and the cards alone."""
    cards = "F4... 39S 22556"
    first, again = table(cards, "7F... M"), table("F4... S93 65225", "5F... M")

    for game in (first, again):
        game.play("1f")

    assert first.sees("full", "red") == again.sees("full", "red")
    decks = [dealt(9).sees("full", seat) for seat in SEATS]
    assert decks == [dealt(9, max_turns=7).sees("full", seat) for seat in SEATS]


def test_spy_look_bounds_cards_dealt_anew() -> None:
    game = table("SF4..", "7F42. 239 6MBB")
    game.play("1s")
    VARIANT.apply(game.state, "blue", "1x3")
    VARIANT.apply(game.state, "blue", "5=9")

    twins = [Table(VARIANT, VARIANT.redeal(game.state, "red", Rng(n))) for n in range(60)]

    held = {twin.line("blue")[4] + twin.hand("blue") for twin in twins}
    assert {"".join(sorted(ranks)) for ranks in held} == {"239"}
    assert {ranks[0] for ranks in held} == set("239")
    assert len({twin.line("blue")[:4] for twin in twins}) > 5
    assert {twin.line("red") + twin.hand("red") for twin in twins} == {game.line("red")}


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"refill": "immediate"},
        {"chain_attacks": True, "refill_before_stuck_check": True},
    ],
    ids=["as printed", "refill at once", "chains"],
)
def test_world_of_unfinished_game_is_unfinished(chosen: dict[str, object]) -> None:
    """Looks and flag tricks are played often, as they bring bombs to where nobody sees them."""
    whole = resolve_options(VARIANT, chosen)
    peeks = tricks = 0
    for rng_seed in range(24):
        state, rng = VARIANT.begin(whole, rng_seed), Rng(rng_seed, "bombs")
        known = {seat: VARIANT.watch(whole, VARIANT.view(state, seat)) for seat in SEATS}
        while state.result is None:
            (actor, *_) = VARIANT.asked(state)
            legal = VARIANT.legal(state, actor)
            for seat in () if state.opening else SEATS:
                world = known[seat].world(rng)
                assert (world.result, VARIANT.asked(world)) == (None, (actor,)), (rng_seed, seat)
                may = VARIANT.legal(world, actor)
                assert may == legal if seat == actor else may != []
            actions = legal or [VARIANT.sample(state, actor, rng)]
            quiet = [action for action in actions if action[1:2] in ("s", "f")]
            action = rng.choice(quiet if quiet and rng.below(2) else actions)
            for event in VARIANT.apply(state, actor, action):
                for seat in SEATS:
                    known[seat].hear(event.seen_by(seat))
        peeks, tricks = peeks + state.looks, tricks + sum(state.tricks)

    assert min(peeks, tricks) > 20


def test_card_names_tell_only_when_they_entered_line() -> None:
    """The same choices by slot give the same names, whatever the ranks are."""
    for rng_seed in range(5):
        seen = [opened(rng_seed + 10 * n) for n in range(2)]
        for seat in SEATS:
            names = [[card["id"] for card in game.sees("public", seat)["line"]] for game in seen]
            assert names == [[f"{seat[0]}{n}" for n in range(1, 6)]] * 2


def test_a_name_is_never_given_twice() -> None:
    for rng_seed in range(10):
        owners: dict[str, int] = {}
        for state, _, _ in random_game(VARIANT, rng_seed):
            for seat in (0, 1):
                for card in state.line[seat]:
                    trick = state.tricks[seat]
                    if card >= 0:
                        assert owners.setdefault(state.name[card], trick) == trick
