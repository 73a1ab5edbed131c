"""Ranks, their names and who beats whom."""

from collections.abc import Mapping
from typing import Final

FLAG: Final = "F"
BOMB: Final = "B"
SPY: Final = "S"
SCOUT: Final = "2"
MINER: Final = "3"
IMMOBILE: Final = frozenset((FLAG, BOMB))

RANKS = {
    "F": "flag",
    "B": "bomb",
    "S": "spy",
    "2": "scout",
    "3": "miner",
    "4": "sergeant",
    "5": "lieutenant",
    "6": "captain",
    "7": "major",
    "8": "colonel",
    "9": "general",
    "M": "marshal",
}
LADDER = "S23456789M"  # weakest first

ATTACKER: Final = "attacker"
DEFENDER: Final = "defender"
NONE: Final = "none"


def fights(army: Mapping[str, int], *, spy_beats: str, bomb_survives: bool) -> dict[str, str]:
    """Return the winner of every fight, keyed by attacker and defender such as `3B`.

    `spy_beats` is the one rank that falls to an attacking spy. A bomb that does not survive goes
    together with the piece that ran into it.
    """
    movable = [rank for rank in army if rank not in IMMOBILE]
    table = {}
    for attacker in movable:
        for defender in army:
            table[attacker + defender] = _winner(attacker, defender, spy_beats)
        if attacker != MINER and not bomb_survives:
            table[attacker + BOMB] = NONE
    return table


def _winner(attacker: str, defender: str, spy_beats: str) -> str:
    if defender == FLAG or attacker + defender in (MINER + BOMB, SPY + spy_beats):
        return ATTACKER
    if defender == BOMB:
        return DEFENDER
    if attacker == defender:
        return NONE
    return ATTACKER if LADDER.index(attacker) > LADDER.index(defender) else DEFENDER
