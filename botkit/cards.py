"""What a bot sees of the card game: lines, hands and piles, named and counted."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from botkit import ranks
from botkit.view import View

SLOTS = 5
_PLAY = re.compile(r"([1-5])(x|l|s|f)([1-5]{0,2})")


class Play(NamedTuple):
    """One action of the phases `turn` and `chain`, taken apart: `2l14` is `Play(2, "l", (1, 4))`.

    Slots count from 1. `kind` is x (attack), l (a scout looks), s (a spy looks) or f (flag trick).
    """

    slot: int
    kind: str
    targets: tuple[int, ...]

    @classmethod
    def parse(cls, action: str) -> "Play":
        """Take a legal action apart; raise ValueError for anything else, such as `stop`."""
        found = _PLAY.fullmatch(action)
        if found is None:
            raise ValueError(f"{action!r} is not an action such as '2x4'")
        return cls(int(found[1]), found[2], tuple(map(int, found[3])))

    def __str__(self) -> str:
        return f"{self.slot}{self.kind}{''.join(map(str, self.targets))}"


@dataclass(frozen=True, slots=True)
class Card:
    """One card of a line. `rank` is empty while you may not know it.

    `revealed`: every seat knows the rank. `seen`: a scout of the other seat has looked at it.
    """

    id: str
    seat: str
    slot: int
    rank: str
    revealed: bool
    seen: bool


class CardsView(View):
    """A card game as your seat may see it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Wrap the `view` of an `act` message; everything unnamed here is still in `raw`."""
        super().__init__(data)
        seats: Mapping[str, Any] = data["seats"]
        self.other: str = next(seat for seat in seats if seat != self.seat)
        self.deck: dict[str, int] = dict(data["deck"])
        self.own: dict[int, Card] = _line(seats[self.seat], self.seat)  # by slot
        self.enemy: dict[int, Card] = _line(seats[self.other], self.other)
        self.hand: list[str] = list(seats[self.seat]["hand"])
        self.enemy_hand: list[str] = [rank or "" for rank in seats[self.other]["hand"]]
        self.pile: int = seats[self.seat]["pile"]
        self.enemy_pile: int = seats[self.other]["pile"]
        self.again: int | None = data["again"]  # your slot that may attack again
        self.quiet_turns: int = data["no_fight_turns"]  # turns since the last fight

    @cached_property
    def gaps(self) -> list[int]:
        """The empty slots of your line."""
        return [slot for slot in range(1, SLOTS + 1) if slot not in self.own]

    @cached_property
    def hidden(self) -> dict[str, int]:
        """How many of each rank the enemy still hides: neither out of the game nor known to you."""
        known = [card.rank for card in self.enemy.values()] + self.enemy_hand
        return self._left(self.other, known)

    @cached_property
    def drawable(self) -> dict[str, int]:
        """How many of each rank are still in your own pile."""
        return self._left(self.seat, [card.rank for card in self.own.values()] + self.hand)

    def fight(self, attacker: str, defender: str) -> int:
        """Return how an attack ends: 1 the attacker wins, 0 both fall, -1 the attacker falls."""
        return ranks.fight(attacker, defender, top="M")

    def _left(self, seat: str, known: Iterable[str]) -> dict[str, int]:
        left = Counter(self.deck)
        left.subtract(gone["rank"] for gone in self.raw["removed"] if gone["seat"] == seat)
        left.subtract(rank for rank in known if rank)
        return dict(left)


def filling(ranks_by_slot: Mapping[int, str]) -> str:
    """Write the action of the phase `fill`: `filling({4: "B", 1: "3"}) == "1=3,4=B"`."""
    return ",".join(f"{slot}={rank}" for slot, rank in sorted(ranks_by_slot.items()))


def _line(shown: Mapping[str, Any], seat: str) -> dict[int, Card]:
    return {
        slot: Card(c["id"], seat, slot, c["rank"] or "", c["revealed"], c["seen"])
        for slot, c in enumerate(shown["line"], start=1)
        if c is not None
    }
