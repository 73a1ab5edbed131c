"""The one door from a state to an observer."""

from typing import Any

from engine.outcome import RESIGN
from engine.variant import FULL, View

from .play import read_fleet
from .state import State, asked
from .waters import FLEET, SEATS, SIZE, Fleet

NAME = "battleship@1"


def phase(state: State) -> str:
    """Return the phase: deploy, turn or over."""
    if state.result is not None:
        return "over"
    return "deploy" if state.deploying else "turn"


def view(state: State, observer: str) -> View:
    """Show the game to `red`, `blue`, `public` or `full`: of the other fleet only what was told."""
    hides = phase(state) == "deploy" and observer != FULL  # who has set up already
    return {
        "variant": NAME,
        "observer": observer,
        "phase": phase(state),
        "ply": state.ply,
        "to_act": list(SEATS if hides else asked(state)),
        "size": SIZE,
        "fleet": dict(FLEET),
        "seats": {name: _shown(state, seat, observer) for seat, name in enumerate(SEATS)},
        "limits": {"max_plies": state.max_plies},
    }


def _shown(state: State, seat: int, observer: str) -> dict[str, Any]:
    """Show the waters of a seat: its ships, and the shots that fell there."""
    fleet = _fleet(state, seat)
    hits = state.hits(seat) if state.fleets else {ship: [] for ship in FLEET}
    ship_at = {square: ship for ship, squares in hits.items() for square in squares}
    sees = observer in (SEATS[seat], FULL)
    return {
        "ships": {
            ship: list(fleet[ship]) if fleet and (sees or len(hits[ship]) == FLEET[ship]) else None
            for ship in FLEET
        },
        "shots": [
            {"square": square, "ship": ship_at.get(square)} for square in state.shots[1 - seat]
        ],
        "sunk": [ship for ship, squares in hits.items() if len(squares) == FLEET[ship]],
    }


def _fleet(state: State, seat: int) -> Fleet | None:
    if state.fleets:
        return state.fleets[seat]
    answer = state.answers[seat]
    return None if answer in (None, RESIGN) else read_fleet(answer)
