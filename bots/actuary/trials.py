"""Trying things out: each action with each filling after it, in every world."""

from collections.abc import Sequence
from functools import cache

from sides import Side
from worth import MOVED, TO_MOVE, Vector, Worth

from botkit.ranks import fight


class Trials:
    """One side of ours, and worlds that differ in what the enemy holds."""

    def __init__(self, worth: Worth, own: Side, worlds: Sequence[Side]) -> None:
        self.worth, self.own = worth, own
        self.worlds = [(world, worth.side(world, TO_MOVE)) for world in worlds]
        self._before = worth.side(own, MOVED)
        self._turned = cache(self._turned_card)  # of each slot that attacks or looks

    def best_filling(self) -> tuple[float, tuple[str, ...]]:
        """Return our chance to win, and what to lay into our gaps for it."""
        gaps = self.own.line.count("")
        chances = [
            sum(self.worth.chance(mine, theirs) for _, theirs in self.worlds) / len(self.worlds)
            for mine in self._laid(self._before, gaps)
        ]
        return max(zip(chances, self.own.fillings(gaps), strict=True))

    def attack(self, slot: int, target: int) -> float:
        """Return our chance to win by an attack and the best filling after each of its ends."""
        won = 0
        stays, falls = self._turned(slot, falls=False), self._turned(slot, falls=True)
        sums = {False: [0.0] * len(stays), True: [0.0] * len(falls)}
        for world, theirs in self.worlds:
            end = fight(self.own.line[slot], world.line[target], top="M")
            if end >= 0 and (world.line[target] == "F" or world.stuck(target)):
                won += 1
                continue
            rest = self.worth.after(theirs, world, TO_MOVE, target, falls=end >= 0)
            for number, mine in enumerate(falls if end <= 0 else stays):
                sums[end <= 0][number] += self.worth.chance(mine, rest)
        return (won + max(sums[False]) + max(sums[True])) / len(self.worlds)

    def look(self, slot: int, targets: Sequence[int]) -> float:
        """Return our chance to win by turning a card up and looking at some of the enemy's."""
        choices = self._turned(slot, falls=False)
        sums = [0.0] * len(choices)
        for world, theirs in self.worlds:
            seen = theirs
            for target in targets:
                seen = self.worth.after(seen, world, TO_MOVE, target, falls=False)
            for number, mine in enumerate(choices):
                sums[number] += self.worth.chance(mine, seen)
        return max(sums) / len(self.worlds)

    def _turned_card(self, slot: int, *, falls: bool) -> Sequence[Vector]:
        """Return how our side stands with each filling, after a card has acted."""
        after = self.worth.after(self._before, self.own, MOVED, slot, falls=falls)
        return self._laid(after, self.own.line.count("") + falls)

    def _laid(self, before: Vector, gaps: int) -> Sequence[Vector]:
        return [self.worth.laid(before, ranks) for ranks in self.own.fillings(gaps)]
