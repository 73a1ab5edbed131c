"""What a Python bot sees of a game, and how events bring it up to date."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from botkit.view import View

from .waters import RIGHT, UP, Placement, placement, placements

__all__ = ["BattleshipView", "Shot"]


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot that fell; `ship` is the code of the ship that it hit, or empty."""

    square: str
    ship: str


class BattleshipView(View):
    """A game as your seat may see it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Wrap the `view` of an `act` message; everything unnamed here is still in `raw`."""
        super().__init__(data)
        seats: Mapping[str, Any] = data["seats"]
        self.other: str = next(seat for seat in seats if seat != self.seat)
        self.fleet: dict[str, int] = dict(data["fleet"])  # how long each ship is
        self.shots = [Shot(s["square"], s["ship"] or "") for s in seats[self.other]["shots"]]
        self.sunk: tuple[str, ...] = tuple(seats[self.other]["sunk"])

    @property
    def wounded(self) -> dict[str, list[str]]:
        """The squares of each enemy ship that you have hit and not sunk."""
        found: dict[str, list[str]] = {}
        for shot in self.shots:
            if shot.ship and shot.ship not in self.sunk:
                found.setdefault(shot.ship, []).append(shot.square)
        return found

    def possible(self, ship: str) -> list[Placement]:
        """Return each way in which an enemy ship can lie."""
        at = {shot.square: shot.ship for shot in self.shots}
        hits = {square for square, hit in at.items() if hit == ship}
        return [
            squares
            for squares in placements(self.fleet[ship])
            if hits <= {*squares} and all(at.get(square, ship) == ship for square in squares)
        ]


VIEW = BattleshipView


def fold(
    last: Mapping[str, Any], events: Iterable[Mapping[str, Any]], _options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the view after these events; `last` stays as it is."""
    view = dict(last)
    view["seats"] = seats = {name: dict(waters) for name, waters in last["seats"].items()}
    for event in events:
        if event["type"] == "deployed" and "deployment" in event:
            seats[event["seat"]]["ships"] = _ships(last["fleet"], event["deployment"])
        elif event["type"] in ("missed", "hit"):
            waters = seats[next(name for name in seats if name != event["seat"])]
            shot = {"square": event["square"], "ship": event.get("ship")}
            waters["shots"] = [*waters["shots"], shot]
            if event.get("sunk"):
                _sink(waters, event["ship"], list(last["fleet"]))
    return view


def _ships(fleet: Mapping[str, int], deployment: str) -> dict[str, list[str] | None]:
    words = deployment.split(",")
    return {
        ship: list(placement(length, word[:2], word[2]) or ())
        for (ship, length), word in zip(fleet.items(), words, strict=True)
    }


def _sink(waters: dict[str, Any], ship: str, order: list[str]) -> None:
    """Note a ship as sunk; all of its squares are known then."""
    hits = [shot["square"] for shot in waters["shots"] if shot["ship"] == ship]
    start = min(hits, key=lambda square: (square[1], square[0]))
    way = RIGHT if len({square[1] for square in hits}) == 1 else UP
    waters["ships"] = {**waters["ships"], ship: list(placement(len(hits), start, way) or ())}
    waters["sunk"] = [name for name in order if name in (*waters["sunk"], ship)]
