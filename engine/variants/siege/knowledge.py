"""Nothing is hidden in a siege: what a seat sees or hears makes up the whole state."""

from collections.abc import Mapping
from typing import Any

from engine.knowledge import Deal
from engine.rng import Rng
from engine.variant import Options, View
from engine.variants.siege.army import CYCLE, FIRST, IDS, SEATS, WHITE
from engine.variants.siege.board import COLOURS, NAMES, PLACES
from engine.variants.siege.notation import DEMAND, PASS
from engine.variants.siege.play import begin_turn, play
from engine.variants.siege.readings import NOWHERE, is_circle, rules_of
from engine.variants.siege.state import EMPTY, Demand, State, copy


class SiegeWatcher:
    """The state of the game, kept up to date by playing what was heard of."""

    def __init__(self, options: Options, first: View) -> None:
        """Begin with any view. Raise ValueError for that of a game that is over.

        A view does not tell which besiegers have been in the fort and came out again, as an option
        lets them: they count as never inside, so that they can enter for the first time.
        """
        if first["phase"] == "over":
            raise ValueError("the game is over: there is nothing left to look ahead in")
        self._state = State(rules_of(options))
        if first["phase"] != "deploy":
            # Bring a state from the set-up of the besiegers to what a view shows.
            state = self._state
            state.deployed = "as seen"
            state.ply, state.quiet_plies = first["ply"], first["no_progress_plies"]
            for gone in first["captured"]:
                state.remove(IDS.index(gone["id"]))
            state.at = [EMPTY] * len(NAMES)
            for shown in first["pieces"]:
                piece, place = IDS.index(shown["id"]), PLACES[shown["square"]]
                if piece < FIRST[WHITE]:
                    state.stand(piece, shown["rank"], place)
                    state.entered[piece] = True  # the garrison begins inside
                else:
                    state.where[piece], state.at[place] = place, piece
                    state.entered[piece] = is_circle(place)
            # Once all stand, as the third soldier of a colour binds the rest.
            for shown in first["pieces"]:
                if shown["bound"] is not None:
                    state.bind(IDS.index(shown["id"]), COLOURS.index(shown["bound"]))
            if demand := first["demand"]:
                place = PLACES.get(demand["asks"], NOWHERE)
                state.demand = Demand(SEATS.index(demand["seat"]), place)
            state.slot = first["turn"]
            state.to_move = CYCLE[state.slot]
            begin_turn(state)

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
