"""What a bot sees of the card game: lines, hands and piles, named and counted."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from botkit import ranks
from botkit.view import Fallen, View

__all__ = ["Card", "CardsView", "Play", "filling"]

SLOTS = 5
ORDER = ranks.FLAG + ranks.BOMB + ranks.LADDER  # in which a hand is listed
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
        match = _PLAY.fullmatch(action)
        if match is None:
            raise ValueError(f"{action!r} is not an action such as '2x4'")
        return cls(int(match[1]), match[2], tuple(map(int, match[3])))

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
        self.removed = Fallen.all_of(data["removed"])
        self.again: int | None = data["again"]  # your slot that may attack again
        self.turn: int = data["turn"]
        self.quiet_turns: int = data["no_fight_turns"]  # turns since the last fight

    @cached_property
    def plays(self) -> list[Play]:
        """Your legal actions in the phases `turn` and `chain`, taken apart, without `stop`."""
        return [Play.parse(action) for action in self.legal if _PLAY.fullmatch(action)]

    @cached_property
    def fillings(self) -> list[dict[int, str]]:
        """Your legal actions in the phase `fill`: a rank for each slot. `filling` writes one."""
        pairs = [action.split(",") for action in self.legal if "=" in action]
        return [{int(pair[0]): pair[2] for pair in action} for action in pairs]

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
        left.subtract(gone.rank for gone in self.removed if gone.seat == seat)
        left.subtract(rank for rank in known if rank)
        return dict(left)


VIEW = CardsView


def filling(ranks_by_slot: Mapping[int, str]) -> str:
    """Write the action of the phase `fill`: `filling({4: "B", 1: "3"}) == "1=3,4=B"`."""
    return ",".join(f"{slot}={rank}" for slot, rank in sorted(ranks_by_slot.items()))


def _line(shown: Mapping[str, Any], seat: str) -> dict[int, Card]:
    return {
        slot: Card(c["id"], seat, slot, c["rank"] or "", c["revealed"], c["seen"])
        for slot, c in enumerate(shown["line"], start=1)
        if c is not None
    }


def fold(
    last: Mapping[str, Any], events: Iterable[Mapping[str, Any]], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the view after these events; `last` stays as it is."""
    view, own = dict(last), last["observer"]
    view["removed"] = list(last["removed"])
    view["seats"] = seats = {
        seat: {**shown, "line": [*shown["line"]]} for seat, shown in last["seats"].items()
    }
    for event in events:
        kind = event["type"]
        if kind in ("began", "stopped"):
            view |= {key: event[key] for key in ("turn", "no_fight_turns") if key in event}
            view["again"] = None
        elif kind == "fought":
            again = options.get("chain_attacks") and event["winner"] == "attacker"
            view["again"] = int(event["from"][1]) if again and event["seat"] == own else None
            view["removed"] += _fight(seats, event)
        elif kind == "peeked":
            other = next(shown for seat, shown in seats.items() if seat != event["seat"])
            other["hand"] = event.get("ranks", other["hand"])
        elif kind in ("revealed", "looked"):
            _show(seats, event)
        elif "seat" in event:
            _deal(seats[event["seat"]], event)
    if not any(card for seat, shown in seats.items() if seat != own for card in shown["line"]):
        view["again"] = None
    return view


def _deal(side: dict[str, Any], event: Mapping[str, Any]) -> None:
    """Move cards of a seat: from its pile to its hand, or from its hand into its line."""
    kind, ranks = event["type"], event.get("ranks") or [*event.get("deployment", "")]
    if kind == "redealt":
        side |= {"line": [None] * SLOTS, "hand": [], "pile": event["pile"] + event["count"]}
    if kind in ("drew", "redealt"):
        side["pile"] -= event["count"]
        hand = side["hand"] + (ranks or [None] * event["count"])
        side["hand"] = sorted(hand, key=ORDER.index) if ranks else hand
    if kind in ("deployed", "filled"):
        names = event["cards"]
        slots = event.get("slots", range(1, len(names) + 1))
        for number, (slot, name) in enumerate(zip(slots, names, strict=True)):
            card = {"id": name, "rank": ranks[number] if ranks else None}
            side["line"][slot - 1] = {**card, "revealed": False, "seen": False}
        side["hand"] = _without(side["hand"], ranks, len(names))


def _without(hand: Sequence[str | None], ranks: Sequence[str], gone: int) -> list[str | None]:
    """Return a hand without these ranks, or without any cards: then some ranks stay certain."""
    known = Counter(rank for rank in hand if rank)
    if ranks:
        return [*(known - Counter(ranks)).elements()]
    certain = [rank for rank, count in known.items() for _ in range(count - gone)]
    return [*certain, *[None] * (len(hand) - gone - len(certain))]


def _fight(seats: dict[str, Any], event: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Change the cards that have fought, and return those that fell, the attacker first."""
    fallen = []
    other = next(seat for seat in seats if seat != event["seat"])
    fighters = (("attacker", event["seat"], "from"), ("defender", other, "to"))
    for side, seat, key in fighters:
        line, slot = seats[seat]["line"], int(event[key][1]) - 1
        if event["winner"] == side:
            line[slot] = {**line[slot], "rank": event[side]["rank"], "revealed": True}
        else:
            line[slot] = None
            fallen.append({**event[side], "seat": seat})
    return fallen


def _show(seats: dict[str, Any], event: Mapping[str, Any]) -> None:
    """Turn a card up for all, or for the scout of one seat."""
    place = event["from" if event["type"] == "revealed" else "to"]
    line = next(shown["line"] for seat, shown in seats.items() if seat[0] == place[0])
    mark = "revealed" if event["type"] == "revealed" else "seen"
    rank = {"rank": event["rank"]} if "rank" in event else {}
    line[int(place[1]) - 1] = {**line[int(place[1]) - 1], mark: True, **rank}
