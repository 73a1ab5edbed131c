"""The one door from a state to an observer: everything shown anywhere comes through here."""

from collections import Counter
from typing import Any, Final

from engine.duel.spec import SEATS
from engine.duel.state import OFF, State
from engine.outcome import RESIGN
from engine.variant import FULL, Hidden, View

ALONE: Final = tuple((seat,) for seat in SEATS)


def phase(state: State) -> str:
    """Name the phase: deploy, turn or over."""
    if state.result is not None:
        return "over"
    return "deploy" if state.deploying else "turn"


def asked(state: State) -> tuple[str, ...]:
    """Name the seats that owe an action."""
    if state.result is not None:
        return ()
    if state.deploying:
        return tuple(SEATS[seat] for seat in (0, 1) if state.deployed[seat] is None)
    return ALONE[state.to_move]


def view(state: State, observer: str) -> View:
    """Show the game to `red`, `blue`, `public` (what every seat knows) or `full`.

    While the seats deploy, `to_act` names both whatever has come in, so that nothing tells when an
    answer came.
    """
    rules = state.rules
    board, deploying = rules.board, state.deploying
    now = phase(state)
    hides = now == "deploy" and observer != FULL
    shown: dict[str, Any] = {
        "variant": rules.spec.name,
        "observer": observer,
        "phase": now,
        "ply": state.ply,
        "to_act": list(SEATS if hides else asked(state)),
        "board": {
            "files": board.files,
            "ranks": board.ranks,
            "lakes": list(board.lakes),
        },
        "army": dict(rules.spec.army),
        "pieces": _deployed(state, observer) if deploying else _pieces(state, observer),
        "captured": [
            {
                "id": rules.ids[piece],
                "seat": SEATS[piece >= rules.strength],
                "rank": state.rank[piece],
            }
            for piece in state.captured
        ],
        "no_attack_plies": state.quiet_plies,
        "last": {name: _last(state, seat) for seat, name in enumerate(SEATS)},
        "limits": {
            "max_plies": rules.max_plies,
            "no_attack_plies": rules.no_attack_plies,
            "shuttle": rules.shuttle_limit,
        },
    }
    if deploying:
        home = rules.homes[SEATS.index(observer)] if observer in SEATS else ()
        shown["home"] = [board.names[square] for square in home]
    return shown


def hidden(view: View) -> Hidden:
    """Return the pieces without a rank in a view, with what is unseen of their army."""
    seen = Counter((piece["seat"], piece["rank"]) for piece in (*view["pieces"], *view["captured"]))
    unseen = {
        seat: {rank: count - seen[seat, rank] for rank, count in view["army"].items()}
        for seat in SEATS
    }
    return {piece["id"]: unseen[piece["seat"]] for piece in view["pieces"] if piece["rank"] is None}


def _last(state: State, seat: int) -> dict[str, Any] | None:
    """Show the last move of a seat, and how often its piece has gone to and fro by now."""
    piece, start, target, count = state.series[seat]
    names = state.rules.board.names
    if piece == OFF:
        return None
    shown = {"piece": state.rules.ids[piece], "from": names[start], "to": names[target]}
    return {**shown, "repetition": count}


def _pieces(state: State, observer: str) -> list[dict[str, Any]]:
    rules, strength, shown, ranks = state.rules, state.rules.strength, state.shown, state.rank
    names, ids, moved, remembers = rules.board.names, rules.ids, state.moved, not rules.forget
    own = [observer in (SEATS[0], FULL), observer in (SEATS[1], FULL)]
    return [
        {
            "id": ids[piece],
            "seat": SEATS[piece >= strength],
            "square": names[square],
            "rank": ranks[piece]
            if own[piece >= strength] or (remembers and shown[piece])
            else None,
            "moved": moved[piece],
            "revealed": remembers and shown[piece],
        }
        for piece, square in enumerate(state.square)
        if square != OFF
    ]


def _deployed(state: State, observer: str) -> list[dict[str, Any]]:
    """Show a set-up that waits for the other seat to its owner only."""
    rules, pieces = state.rules, []
    for seat, deployment in enumerate(state.deployed):
        if deployment in (None, RESIGN) or observer not in (SEATS[seat], FULL):
            continue
        for offset, (square, rank) in enumerate(zip(rules.homes[seat], deployment, strict=True)):
            pieces.append(
                {
                    "id": rules.ids[seat * rules.strength + offset],
                    "seat": SEATS[seat],
                    "square": rules.board.names[square],
                    "rank": rank,
                    "moved": False,
                    "revealed": False,
                }
            )
    return pieces
