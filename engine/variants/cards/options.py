"""The choices between readings of the sheet of game C, and the rules of one game made of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from engine.variant import Option
from engine.variants.cards.deck import DECKS

OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        "deck": Option(
            "battle_cards_23",
            ("battle_cards_23", "card_battle_minus_infiltrator"),
            "which 23 cards: three miners and three sergeants, or four miners and two sergeants",
        ),
        "refill": Option(
            "own_turn",
            ("own_turn", "immediate"),
            "when a gap made by the enemy's attack is filled: in one's own turn, or at once",
        ),
        "refill_before_stuck_check": Option(
            default=False,
            allowed=(False, True),
            doc="house rule: whether gaps are also filled just before the look at who can attack",
        ),
        "flag_trick_saves": Option(
            default=False,
            allowed=(False, True),
            doc="house rule: whether a line of bombs and the flag may still do the flag trick",
        ),
        "chain_attacks": Option(
            default=False,
            allowed=(False, True),
            doc="whether a card that has won its attack may attack again in the same turn",
        ),
        "max_turns": Option(400, (400, None), "house rule: a draw after so many turns", least=1),
        "no_fight_turns": Option(
            50,
            (50, None),
            "house rule: a draw after so many turns in a row without a fight",
            least=1,
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game, in the shape that playing needs."""

    deck: Mapping[str, int]
    cards: tuple[str, ...]  # the deck as one rank code per card
    fills_at_once: bool
    fills_first: bool
    trick_saves: bool
    chains: bool
    max_turns: int | None
    no_fight_turns: int | None


def rules_of(options: Mapping[str, Any]) -> Rules:
    """Return the rules for a full set of options; equal options share one object."""
    return _rules_of(tuple(sorted(options.items())))


@lru_cache(maxsize=64)
def _rules_of(chosen: tuple[tuple[str, Any], ...]) -> Rules:
    options = dict(chosen)
    deck = DECKS[options["deck"]]
    return Rules(
        deck=deck,
        cards=tuple(rank for rank, count in deck.items() for _ in range(count)),
        fills_at_once=options["refill"] == "immediate",
        fills_first=options["refill_before_stuck_check"],
        trick_saves=options["flag_trick_saves"],
        chains=options["chain_attacks"],
        max_turns=options["max_turns"],
        no_fight_turns=options["no_fight_turns"],
    )
