"""Rank codes, and how an attack ends: the same in every game of hidden ranks."""

FLAG = "F"
BOMB = "B"
SPY = "S"
SCOUT = "2"
MINER = "3"
LADDER = "S23456789M"  # weakest to strongest, of everything that moves


def fight(attacker: str, defender: str, *, top: str) -> int:
    """Return how an attack ends: 1 the attacker wins, 0 both fall, -1 the attacker falls.

    `top` is the one rank that a spy can beat by attacking.
    """
    if defender == FLAG:
        return 1
    if defender == BOMB:
        return 1 if attacker == MINER else -1
    if attacker == SPY and defender == top:
        return 1
    mine, theirs = LADDER.index(attacker), LADDER.index(defender)
    return (mine > theirs) - (mine < theirs)
