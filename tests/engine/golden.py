"""Golden games and counts: text that anybody can read, and other implementations can check.

`python -m tests.engine.golden` writes them anew; look at the difference before committing it.
"""

import json
from pathlib import Path
from typing import Any

import engine.variants
from engine.registry import resolve_options, variants
from engine.rng import Rng
from engine.variant import FULL, Variant
from tests.engine.games import random_game

FOLDER = Path(engine.variants.__path__[0])
GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "random-1": (1, {"max_plies": 200}),
    "other-readings": (
        2,
        {
            "shuttle_limit": 3,
            "shuttle_scout": "path",
            "chase_rule": "isf",
            "bomb_survives": False,
            "scout_move_and_strike": False,
            "reveal_after_fight": "forget",
            "max_plies": 200,
        },
    ),
}
DEPTH = 3


def playthrough(variant: Variant[Any], rng_seed: int, given: dict[str, Any]) -> str:
    """Tell a random game ply by ply: what happened, how many choices there were, and the board."""
    lines = [f"{variant.name} rng_seed={rng_seed} {json.dumps(given)}"]
    for state, seat, action in random_game(variant, rng_seed, given):
        now = variant.view(state, FULL)
        if now["phase"] == "deploy":
            lines.append(f"{seat} deploys {action}")
            continue
        if now["phase"] == "over" or now["ply"] % 20 == 0:
            lines += board(now, variant.view(state, seat or FULL))
        if seat:
            lines.append(told(variant, state, seat, action))
    result = variant.result(state)
    assert result is not None
    return "\n".join(
        [*lines, f"{result.termination} {dict(result.points or {})} {result.detail}", ""]
    )


def told(variant: Variant[Any], state: Any, seat: str, action: str) -> str:
    """Give one line: the ply, the action, among how many, and what came of it."""
    before = variant.view(state, FULL)
    choices = len(variant.legal(state, seat) or [])
    events = variant.apply(variant.copy(state), seat, action)
    said = "; ".join(variant.describe(event.seen_by(FULL), before)[1] for event in events)
    return f"{before['ply'] + 1:>4} {action:<6} of {choices:>3}  {said}"


def board(full: dict[str, Any], seat: dict[str, Any]) -> list[str]:
    """Draw two views side by side: all, and what the seat to move sees."""
    return [
        f"     {left}     {right}" for left, right in zip(_rows(full), _rows(seat), strict=True)
    ]


def _rows(view: dict[str, Any]) -> list[str]:
    grid = view["board"]
    stands = {piece["square"]: piece for piece in view["pieces"]}
    rows = []
    for rank in range(grid["ranks"], 0, -1):
        row = [f"{rank:>2}"]
        for file in "abcdefghij"[: grid["files"]]:
            piece = stands.get(f"{file}{rank}")
            empty = "~~" if f"{file}{rank}" in grid["lakes"] else " ."
            row.append(f"{piece['seat'][0]}{piece['rank'] or '?'}" if piece else empty)
        rows.append(" ".join(row))
    return [*rows, "  " + "".join(f"  {file}" for file in "abcdefghij"[: grid["files"]])]


def counts(variant: Variant[Any]) -> list[dict[str, Any]]:
    """Count the games of 1, 2 and 3 plies from a fresh deployment and from the middle of a game."""
    told = []
    for plies in (0, 30):
        rng = Rng(2026, f"counts {plies}")
        state = variant.begin(resolve_options(variant, {}), 1)
        deployments = {seat: variant.sample(state, seat, rng) for seat in variant.seats}
        for seat, deployment in deployments.items():
            variant.apply(state, seat, deployment)
        moves = []
        for _ in range(plies):
            (seat,) = variant.asked(state)
            moves.append(variant.sample(state, seat, rng))
            variant.apply(state, seat, moves[-1])
        numbers = [perft(variant, state, depth) for depth in range(1, DEPTH + 1)]
        told.append({**deployments, "moves": " ".join(moves), "counts": numbers})
    return told


def perft(variant: Variant[Any], state: Any, depth: int) -> int:
    """Count the lines of play of a length; a game that is over has none."""
    if variant.result(state) is not None:
        return 0
    (seat,) = variant.asked(state)
    actions = variant.legal(state, seat) or []
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        twin = variant.copy(state)
        variant.apply(twin, seat, action)
        total += perft(variant, twin, depth - 1)
    return total


def write() -> None:
    """Write every golden file anew."""
    for slug, variant in variants().items():
        folder = FOLDER / slug / "golden"
        folder.mkdir(exist_ok=True)
        for name, (rng_seed, given) in GAMES.items():
            (folder / f"{name}.txt").write_text(playthrough(variant, rng_seed, given), "utf-8")
        text = json.dumps(counts(variant), indent=1) + "\n"
        (folder / "counts.json").write_text(text, "utf-8")


if __name__ == "__main__":
    write()
