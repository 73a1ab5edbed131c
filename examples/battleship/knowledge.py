"""What a seat knows of the other fleet, and the games that fit it."""

from collections.abc import Mapping
from typing import Any

from engine.knowledge import Deal, hold_first
from engine.rng import Rng
from engine.variant import Options, View

from .play import apply
from .state import State, begin, copy, fitting_fleet, random_fleet
from .waters import FLEET, SEATS, written


class Watcher:
    """One seat's knowledge: its own fleet, and what was told of each shot."""

    def __init__(self, options: Options, first: View) -> None:
        """Begin with the first view of a game. Raise ValueError for a later one."""
        hold_first(first)
        self._state = begin(options, 0)
        self._seat = SEATS.index(first["observer"])
        self._hits: dict[str, list[str]] = {ship: [] for ship in FLEET}
        self._missed: list[str] = []

    def hear(self, event: Mapping[str, Any]) -> None:
        """Take in an event as the seat sees it."""
        kind, state = event["type"], self._state
        if kind == "deployed" and "deployment" in event:
            other = SEATS[1 - self._seat]
            apply(state, other, written(random_fleet(Rng(0))))  # drawn anew for each world
            apply(state, SEATS[self._seat], event["deployment"])
        elif kind in ("missed", "hit"):
            self._shot(event)
        elif kind == "resigned" and not state.deploying:
            apply(state, event["seat"], "resign")

    def _shot(self, event: Mapping[str, Any]) -> None:
        """Note a shot, and let the placeholder of the other fleet fit it."""
        if event["seat"] == SEATS[self._seat]:
            if event["type"] == "hit":
                self._hits[event["ship"]].append(event["square"])
            else:
                self._missed.append(event["square"])
            self._state = self.world(Rng(0))
        apply(self._state, event["seat"], event["square"])

    def deal(self) -> Deal:
        """Return that no piece in sight has an unknown rank."""
        return Deal({}, {})

    def world(self, rng: Rng) -> State:
        """Draw a game that fits all that the seat has seen; each has the same chance."""
        if self._state.deploying:
            raise ValueError("there are no worlds before both fleets are set up")
        world = copy(self._state)
        world.fleets[1 - self._seat] = fitting_fleet(rng, self._hits, self._missed)
        return world
