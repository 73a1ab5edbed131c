"""What a bot sees of the siege: pieces and places, and a field to look ahead on."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from botkit.view import Fallen, View
from engine.variants.siege.terrain import SOLDIER, Terrain, shade, terrain_of

__all__ = ["Field", "SiegeView", "Step", "Terrain", "Trooper", "shade"]

GARRISON = "garrison"
PER_COLOUR = 3  # garrison soldiers that may be bound to one colour

_MOVE = re.compile(r"([a-p]\d{1,2}|[NESW]{1,2})-([a-p]\d{1,2}|[NESW]{1,2})(!?)(.*)")


class Step(NamedTuple):
    """One move, taken apart: `Step.parse("c3-d4!") == Step("c3", "d4", True)`."""

    origin: str
    target: str
    demands: bool = False
    wanted: str = ""  # the place of the piece that a demand names, with the option `demand: named`

    @classmethod
    def parse(cls, action: str) -> "Step":
        """Take a move apart; raise ValueError for anything else, such as `pass`."""
        match = _MOVE.fullmatch(action)
        if match is None:
            raise ValueError(f"{action!r} is not a move such as 'c3-d4'")
        return cls(match[1], match[2], bool(match[3]), match[4])

    def __str__(self) -> str:
        return f"{self.origin}-{self.target}{'!' * self.demands}{self.wanted}"


@dataclass(frozen=True, slots=True)
class Trooper:
    """One piece of a siege. `bound` is dark or light for a garrison soldier that has been out."""

    id: str
    seat: str
    rank: str
    place: str
    bound: str

    @property
    def besieger(self) -> bool:
        """Whether it belongs to white or black."""
        return self.seat != GARRISON

    @property
    def officer(self) -> bool:
        """Whether it is anything but a soldier."""
        return self.rank != SOLDIER


class Field:
    """The pieces on their places, to look ahead: `field.after("c3-d4").captures()`.

    It knows who could go where, who is protected, and what could be captured. It leaves out what
    only `legal` knows: demands, the duty to come out, and the colours of besiegers that leave.
    """

    def __init__(self, terrain: Terrain, at: dict[str, Trooper]) -> None:
        """Look at pieces by their places."""
        self.terrain = terrain
        self.at = at

    def after(self, action: str) -> "Field":
        """Return the field after a move; what stood on its target is captured."""
        step = Step.parse(action)
        at = dict(self.at)
        piece = at.pop(step.origin)
        out = not piece.besieger and piece.rank == SOLDIER and step.target not in self.circles
        bound = piece.bound or (shade(step.target) if out else "")
        at[step.target] = replace(piece, place=step.target, bound=bound)
        return Field(self.terrain, at)

    @property
    def circles(self) -> tuple[str, ...]:
        """The circles of the fort."""
        return self.terrain.circles

    @cached_property
    def full(self) -> frozenset[str]:
        """The colours to which no further soldier of the garrison may be bound."""
        bound = [piece.bound for piece in self.at.values() if piece.bound]
        return frozenset(colour for colour in bound if bound.count(colour) >= PER_COLOUR)

    def inside(self) -> list[Trooper]:
        """Return the besiegers inside the fort."""
        stand = (self.at.get(circle) for circle in self.circles)
        return [piece for piece in stand if piece is not None and piece.besieger]

    def reach(self, piece: Trooper) -> list[str]:
        """Return the places that a piece could go to; the garrison's also where besiegers stand."""
        places = []
        for line in self.terrain.lines(piece.rank, piece.place, besieger=piece.besieger):
            for place in line:
                other = self.at.get(place)
                if other is not None and (piece.besieger or not other.besieger):
                    break
                if not self._barred(piece, place):
                    places.append(place)
                if other is not None:
                    break
        return places

    def _barred(self, piece: Trooper, place: str) -> bool:
        """Return whether a garrison soldier may not leave the fort to a square for its colour."""
        if piece.besieger or piece.rank != SOLDIER or piece.place not in self.circles:
            return False
        if place in self.circles:
            return False
        colour = shade(place)
        return piece.bound != colour if piece.bound else colour in self.full

    def guarded(self, place: str, *, leaving: str = "") -> bool:
        """Return whether a besieger could move to a place once a capturer has left its own."""
        at = self.at
        for rank, start, between in self.terrain.threats[place]:
            guard = at.get(start)
            if guard is None or guard.rank != rank or not guard.besieger:
                continue
            if not between or between == leaving or between not in at:
                return True
        return False

    def captures(self) -> list[tuple[Trooper, Trooper]]:
        """Return every capture that the garrison could make: who takes whom."""
        return [
            (piece, victim)
            for piece in list(self.at.values())
            if not piece.besieger
            for place in self.reach(piece)
            if (victim := self.at.get(place)) is not None
            and (victim.officer or place not in self.circles)
            and not self.guarded(place, leaving=piece.place)
        ]


class SiegeView(View):
    """A siege; every seat sees the same."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Wrap the `view` of an `act` message; everything unnamed here is still in `raw`."""
        super().__init__(data)
        self.pieces = [
            Trooper(p["id"], p["seat"], p["rank"], p["square"], p["bound"] or "")
            for p in data["pieces"]
        ]
        self.captured = Fallen.all_of(data["captured"])
        self.inside: Mapping[str, int] = data["inside"]  # soldiers and officers in the fort
        self.taken: Mapping[str, int] = data["taken"]  # soldiers and officers that fell
        self.cycle: tuple[str, ...] = tuple(data["cycle"])  # whose turns follow each other
        self.turn: int = data["turn"]  # where the game is in `cycle`
        self.circles: tuple[str, ...] = tuple(data["board"]["circles"])
        self.gates: dict[str, tuple[str, ...]] = {
            gate: tuple(squares) for gate, squares in data["board"]["gates"].items()
        }
        self.army: dict[str, int] = dict(data["army"][self.seat])
        self.demand: Mapping[str, Any] | None = data["demand"]  # what the garrison is asked for
        self.quiet_plies: int = data["no_progress_plies"]  # since the last capture or entry

    @cached_property
    def steps(self) -> list[Step]:
        """Your legal actions in the phase `turn`, taken apart, without `pass`."""
        return [Step.parse(action) for action in self.legal if _MOVE.fullmatch(action)]

    @cached_property
    def at(self) -> dict[str, Trooper]:
        """Every piece on the board, by where it stands."""
        return {piece.place: piece for piece in self.pieces}

    @cached_property
    def own(self) -> list[Trooper]:
        """Your pieces on the board."""
        return [piece for piece in self.pieces if piece.seat == self.seat]

    @cached_property
    def garrison(self) -> list[Trooper]:
        """The garrison's pieces."""
        return [piece for piece in self.pieces if not piece.besieger]

    @cached_property
    def besiegers(self) -> list[Trooper]:
        """The pieces of both besieging armies on the board."""
        return [piece for piece in self.pieces if piece.besieger]

    @cached_property
    def roster(self) -> list[str]:
        """Your army as one rank code per piece."""
        return [rank for rank, count in self.army.items() for _ in range(count)]

    def field(self, options: Mapping[str, Any]) -> Field:
        """Put the pieces on a field to look ahead on; `options` are those of the game."""
        board = json.dumps(self.raw["board"], sort_keys=True)
        long = options.get("moves", "R1") == "R1"
        may_leave = bool(options.get("besiegers_may_leave", False))
        return Field(terrain_of(board, long=long, may_leave=may_leave), dict(self.at))


VIEW = SiegeView


def fold(
    last: Mapping[str, Any], events: Iterable[Mapping[str, Any]], _options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the view after these events; `last` stays as it is."""
    view, circles = dict(last), last["board"]["circles"]
    pieces = {piece["id"]: piece for piece in last["pieces"]}
    view["captured"] = list(last["captured"])
    for event in events:
        if event["type"] == "deployed":
            garrison = {
                f"g{number}": {
                    "id": f"g{number}",
                    "seat": GARRISON,
                    "rank": rank,
                    "square": circle,
                    "bound": None,
                }
                for number, (rank, circle) in enumerate(
                    zip(event["deployment"], circles, strict=True), start=1
                )
            }
            pieces = garrison | pieces
        elif event["type"] in ("moved", "captured", "passed"):
            view["turn"], view["demand"] = event["turn"], None
            if event.get("demand") is not None:
                asks, binds = event["demand"], event["binds"]
                view["demand"] = {"seat": event["seat"], "asks": asks, "binds": binds}
            view["no_progress_plies"] += 1
            if event["type"] != "passed":
                pieces[event["piece"]] = _moved(pieces[event["piece"]], event["to"], circles)
            if "taken" in event:
                del pieces[event["taken"]["id"]]
                view["captured"].append(event["taken"])
            if "taken" in event or event.get("enters"):
                view["no_progress_plies"] = 0
    view["pieces"] = [*pieces.values()]
    return {**view, **counts(view["pieces"], view["captured"], circles)}


def counts(
    pieces: Iterable[Mapping[str, Any]],
    captured: Iterable[Mapping[str, Any]],
    circles: Iterable[str],
) -> dict[str, dict[str, int]]:
    """Count the besiegers in the fort and those that fell, as `inside` and `taken` of a view."""
    besiegers = [piece for piece in pieces if piece["seat"] != GARRISON]
    inside = [piece for piece in besiegers if piece["square"] in circles]
    return {"inside": _counted(inside), "taken": _counted(captured)}


def _moved(piece: Mapping[str, Any], place: str, circles: Iterable[str]) -> dict[str, Any]:
    """Return a piece on another place; the first square binds a soldier of the garrison."""
    binds = piece["seat"] == GARRISON and piece["rank"] == SOLDIER and place not in circles
    bound = piece["bound"] or (shade(place) if binds else None)
    return {**piece, "square": place, "bound": bound}


def _counted(pieces: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    ranks = [piece["rank"] for piece in pieces]
    soldiers = ranks.count(SOLDIER)
    return {"soldiers": soldiers, "officers": len(ranks) - soldiers}
