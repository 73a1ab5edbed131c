"""The door from a state to an observer. All is open here: every observer sees the same."""

from typing import Any

from engine.variant import View
from engine.variants.siege.army import ARMIES, CYCLE, FIRST, IDS, SEATS, WHITE, seat_of
from engine.variants.siege.board import CIRCLES, COLOURS, EXITS, FILES, FORT, NAMES, RANKS, WAYS
from engine.variants.siege.play import demand_word
from engine.variants.siege.readings import NOWHERE
from engine.variants.siege.state import State

NAME = "siege@1"


def phase(state: State) -> str:
    """Name the phase: deploy, turn or over."""
    if state.result is not None:
        return "over"
    return "turn" if state.deployed else "deploy"


def asked(state: State) -> tuple[str, ...]:
    """Name the seat that owes an action."""
    return () if state.result is not None else (SEATS[state.to_move],)


def view(state: State, observer: str) -> View:
    """Show the game to a seat, `public` or `full`; only the word `observer` differs.

    `turn` is where the game is in `cycle`; `inside` counts besiegers in the fort, `taken` those
    captured, each as soldiers and officers; `demand` is what the garrison has been asked for.
    """
    return {
        "variant": NAME,
        "observer": observer,
        "phase": phase(state),
        "ply": state.ply,
        "to_act": list(asked(state)),
        "board": board(state.rules.options["gates"]),
        "army": {seat: dict(army) for seat, army in ARMIES.items()},
        "pieces": [_piece(state, piece) for piece, at in enumerate(state.where) if at != NOWHERE],
        "captured": [
            {"id": IDS[piece], "seat": SEATS[seat_of(piece)], "rank": state.rank[piece]}
            for piece in state.captured
        ],
        "cycle": [SEATS[seat] for seat in CYCLE],
        "turn": state.slot,
        "demand": state.demand
        and {
            "seat": SEATS[state.demand.seat],
            "asks": demand_word(state.demand),
            "binds": state.demand.binds,
        },
        "inside": dict(zip(("soldiers", "officers"), state.inside(), strict=True)),
        "taken": dict(zip(("soldiers", "officers"), state.taken(), strict=True)),
        "no_progress_plies": state.quiet_plies,
        "limits": {
            "max_plies": state.rules.max_plies,
            "no_progress_plies": state.rules.no_progress_plies,
        },
    }


def board(gates: str) -> dict[str, Any]:
    """Describe the board: its size, the block under the fort, circles, ways and gates."""
    return {
        "files": len(FILES),
        "ranks": RANKS,
        "fort": list(FORT),
        "circles": list(CIRCLES),
        "ways": [list(way) for way in WAYS],
        "gates": {circle: list(squares) for circle, squares in EXITS[gates].items()},
    }


def _piece(state: State, piece: int) -> dict[str, Any]:
    shade = state.shade[piece] if piece < FIRST[WHITE] else None
    return {
        "id": IDS[piece],
        "seat": SEATS[seat_of(piece)],
        "rank": state.rank[piece],
        "square": NAMES[state.where[piece]],
        "bound": None if shade is None else COLOURS[shade],
    }
