"""The cards: how many of each rank a deck has, and how a fight between two of them ends."""

from collections.abc import Mapping
from types import MappingProxyType

FLAG, BOMB, SPY, SCOUT, MINER, MARSHAL = "F", "B", "S", "2", "3", "M"
RANKS: Mapping[str, str] = MappingProxyType(
    {
        FLAG: "flag",
        BOMB: "bomb",
        SPY: "spy",
        SCOUT: "scout",
        MINER: "miner",
        "4": "sergeant",
        "5": "lieutenant",
        "6": "captain",
        "7": "major",
        "8": "colonel",
        "9": "general",
        MARSHAL: "marshal",
    }
)
ORDER = "".join(RANKS)  # how ranks are listed: flag, bomb, then from spy to marshal
IMMOBILE = frozenset((FLAG, BOMB))
LADDER = ORDER[2:]  # weakest first

_COMMON = {"F": 1, "B": 3, "S": 1, "2": 4, "5": 2, "6": 2, "7": 1, "8": 1, "9": 1, "M": 1}
DECKS: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        name: MappingProxyType({rank: {**_COMMON, **differ}[rank] for rank in ORDER})
        for name, differ in (
            ("battle_cards_23", {"3": 3, "4": 3}),
            ("card_battle_minus_infiltrator", {"3": 4, "4": 2}),
        )
    }
)

ATTACKER, DEFENDER, NONE = "attacker", "defender", "none"


def _fight(attacker: str, defender: str) -> str:
    """Return who stays: the flag and a bomb met by a miner fall to the attacker, and so on.

    Sentences C14 to C17, C19a, C19b and C20.
    """
    if defender == FLAG or (attacker, defender) in ((MINER, BOMB), (SPY, MARSHAL)):
        return ATTACKER
    if defender == BOMB:
        return DEFENDER
    if attacker == defender:
        return NONE
    return ATTACKER if LADDER.index(attacker) > LADDER.index(defender) else DEFENDER


FIGHTS: Mapping[str, str] = MappingProxyType(
    {attacker + defender: _fight(attacker, defender) for attacker in LADDER for defender in ORDER}
)
