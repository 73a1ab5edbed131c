"""The cards of one side, all of them known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

RANKS = "FBS23456789M"
STANDING = "FB"  # ranks that cannot attack
PLACES = UNKNOWN, KNOWN, HAND, PILE = range(4)  # where a card lies: in the line, known or not
SLOTS, HELD = 5, 3  # cards of a line and of a hand
SHY_FLAG = 0.8  # how often a flag that was dealt into a line is put back behind it


@dataclass(slots=True)
class Side:
    """The cards of one side. A gap is empty text; `known` says which cards the other side knows."""

    line: list[str]
    known: list[bool]
    hand: list[str]
    pile: list[str]

    def cards(self) -> Iterator[tuple[int, str]]:
        """Yield where each card lies, and its rank."""
        for rank, known in zip(self.line, self.known, strict=True):
            if rank:
                yield (KNOWN if known else UNKNOWN), rank
        yield from ((HAND, rank) for rank in self.hand)
        yield from ((PILE, rank) for rank in self.pile)

    def stuck(self, without: int) -> bool:
        """Return whether the line cannot attack once the card of a slot is gone."""
        return all(
            not rank or rank in STANDING or slot == without for slot, rank in enumerate(self.line)
        )

    def fillings(self, gaps: int) -> list[tuple[str, ...]]:
        """List what can be laid from the hand into gaps, as far as it reaches."""
        count = min(gaps, len(self.hand))
        return list(dict.fromkeys(combinations(sorted(self.hand), count)))

    def hide_flag(self, rng: Random) -> None:
        """Exchange a flag that lies unknown in line with a card behind it, most of the time."""
        behind = self.hand + self.pile
        at = self.line.index("F") if "F" in self.line else 0
        if self.line[at] == "F" and not self.known[at] and behind and rng.random() < SHY_FLAG:
            other = rng.randrange(len(behind))
            self.line[at], behind[other] = behind[other], "F"
            self.hand, self.pile = behind[: len(self.hand)], behind[len(self.hand) :]


def dealt(cards: Sequence[str]) -> Side:
    """Return a side that has been dealt its first cards and has no line yet."""
    first = SLOTS + HELD
    return Side([""] * SLOTS, [False] * SLOTS, [*cards[:first]], [*cards[first:]])
