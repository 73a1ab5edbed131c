"""Nothing is hidden in a siege: what a seat has heard makes up the whole state."""

from collections.abc import Mapping
from typing import Any

from engine.knowledge import Deal
from engine.rng import Rng
from engine.variant import Options, View
from engine.variants.siege.army import SEATS
from engine.variants.siege.notation import DEMAND, PASS
from engine.variants.siege.play import play
from engine.variants.siege.readings import rules_of
from engine.variants.siege.state import State, copy


class SiegeWatcher:
    """The state of the game, kept up to date by playing what was heard of."""

    def __init__(self, options: Options, first: View) -> None:  # noqa: ARG002 - all see the same
        """Begin before the garrison is placed."""
        self._state = State(rules_of(options))

    def hear(self, event: Mapping[str, Any]) -> None:
        """Take in an event."""
        kind = event["type"]
        if kind == "deployed":
            action = event["deployment"]
        elif kind == "passed":
            action = PASS
        elif kind in ("moved", "captured"):
            action = f"{event['from']}-{event['to']}"
            if event.get("demand"):
                named = event["demand"]
                action += DEMAND + (named if named != "any" else "")
        else:
            return
        play(self._state, SEATS.index(event["seat"]), action)

    def deal(self) -> Deal:
        """Return a deal of nothing."""
        return Deal({}, {})

    def world(self, rng: Rng) -> State:  # noqa: ARG002 - there is one
        """Return the state."""
        return copy(self._state)
