"""A table on which every card is known, to be played out to its end at great speed.

Side 0 is ours, side 1 the enemy's. A gap in a line is empty text. What the other side knows of a
line is kept too, so that nobody in a playout uses what it could not know.
"""

from collections.abc import Sequence
from random import Random

LADDER = "S23456789M"
WORTH = {
    "F": 60.0, "B": 7.0, "S": 6.0, "2": 3.0, "3": 6.0, "4": 5.0,
    "5": 7.0, "6": 9.0, "7": 12.0, "8": 15.0, "9": 19.0, "M": 24.0,
}  # fmt: skip
SLOTS = range(5)
HAND = 3
PLACE = "4526738S9M3"  # who is laid first where nothing else decides
WANTED = 3  # cards in line that can attack, before bombs are laid
LONGEST = 60  # turns after which a playout is a draw


def _fight(attacker: str, defender: str) -> int:
    if defender == "F" or (attacker, defender) in (("3", "B"), ("S", "M")):
        return 1
    if defender == "B":
        return -1
    mine, theirs = LADDER.index(attacker), LADDER.index(defender)
    return (mine > theirs) - (mine < theirs)


FIGHT = {
    attacker + defender: _fight(attacker, defender) for attacker in LADDER for defender in WORTH
}


class Table:
    """Both sides' cards: lines, who knows them, hands, and piles with the top last."""

    __slots__ = ("hands", "known", "lines", "piles")

    def __init__(
        self,
        lines: tuple[list[str], list[str]],
        known: tuple[list[bool], list[bool]],
        hands: tuple[list[str], list[str]],
        piles: tuple[list[str], list[str]],
    ) -> None:
        self.lines, self.known, self.hands, self.piles = lines, known, hands, piles

    def copy(self) -> "Table":
        """Give an independent copy."""
        return Table(
            (self.lines[0][:], self.lines[1][:]),
            (self.known[0][:], self.known[1][:]),
            (self.hands[0][:], self.hands[1][:]),
            (self.piles[0][:], self.piles[1][:]),
        )

    def attack(self, side: int, slot: int, target: int) -> bool:
        """Let a card attack; say whether it took the flag."""
        own, other = self.lines[side], self.lines[1 - side]
        defender = other[target]
        end = FIGHT[own[slot] + defender]
        self.known[side][slot] = self.known[1 - side][target] = True
        if end <= 0:
            own[slot] = ""
        if end >= 0:
            other[target] = ""
        return defender == "F"

    def lay(self, side: int, slot: int, rank: str) -> None:
        """Put a card from the hand into a gap."""
        self.hands[side].remove(rank)
        self.lines[side][slot] = rank
        self.known[side][slot] = False

    def fill(self, side: int, rng: Random) -> None:
        """Fill the gaps: attackers first, a bomb behind them, the flag at the very last."""
        line, hand = self.lines[side], self.hands[side]
        for slot in SLOTS:
            if hand and not line[slot]:
                self.lay(side, slot, next_card(line, hand, rng))

    def trick(self, side: int, rng: Random) -> None:
        """Mix line, hand and pile and begin anew."""
        cards = [*filter(None, self.lines[side]), *self.hands[side], *self.piles[side]]
        rng.shuffle(cards)
        self.lines[side][:] = [""] * 5
        self.hands[side][:], self.piles[side][:] = cards[:8], cards[8:]
        self.fill(side, rng)

    def playout(self, side: int, rng: Random) -> float:
        """Play to the end, `side` first; give our points. The table is used up."""
        for _ in range(LONGEST):
            hand, pile, line = self.hands[side], self.piles[side], self.lines[side]
            while pile and len(hand) < HAND:
                hand.append(pile.pop())
            attackers = [slot for slot in SLOTS if line[slot] and line[slot] not in "FB"]
            if not attackers or self.attack(side, *self.choose(side, attackers, rng)):
                return float((side == 0) == bool(attackers))
            self.fill(side, rng)
            side = 1 - side
        return 0.5

    def choose(self, side: int, attackers: list[int], rng: Random) -> tuple[int, int]:
        """Take the best that is sure; else try the unknown; else lose as little as possible."""
        line, other, known = self.lines[side], self.lines[1 - side], self.known[1 - side]
        targets = [slot for slot in SLOTS if other[slot]]
        best, choice = 0.0, (-1, -1)
        for target in targets:
            if known[target]:
                for slot in attackers:
                    end = FIGHT[line[slot] + other[target]]
                    value = WORTH[other[target]] - WORTH[line[slot]] * (0.1 if end > 0 else 1.0)
                    if end >= 0 and value > best:
                        best, choice = value, (slot, target)
        if best:
            return choice
        unknown = [slot for slot in targets if not known[slot]]
        if not unknown:
            return min(attackers, key=lambda slot: WORTH[line[slot]]), rng.choice(targets)
        return max(attackers, key=lambda slot: WORTH[line[slot]]), rng.choice(unknown)


def next_card(line: list[str], hand: list[str], rng: Random) -> str:
    """Choose a card of a hand for a line, as quickly as playouts need it."""
    attackers = [rank for rank in hand if rank not in "FB"]
    if "B" in hand and "B" not in line and sum(rank not in ("", *"BF") for rank in line) >= WANTED:
        return "B"
    if attackers:
        return rng.choice(attackers)
    return "B" if "B" in hand else "F"


def laid_late(line: Sequence[str], rank: str, rng: Random) -> float:
    """Say how late a rank should be laid into a line: one bomb soon, the flag at the very last."""
    attackers = sum(laid not in "FB" for laid in line)
    if rank == "F":
        return 1000.0
    if rank == "B":
        return -1.0 if "B" not in line and attackers >= WANTED else 500.0
    return PLACE.index(rank) + 6 * line.count(rank) + rng.uniform(0, 5)
