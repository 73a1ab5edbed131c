"""From a view to a picture and to words. Only views come in here, so nothing hidden can go out."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from engine.duel.army import RANKS
from engine.duel.board import FILES
from engine.duel.faces import PICTURES
from engine.scene import Cell, Label, Piece, Removed, Scene
from engine.variant import View


def scene(view: View) -> Scene:
    """Put a view into a picture, red at the bottom."""
    board = view["board"]
    files, ranks = board["files"], board["ranks"]
    return Scene(
        columns=files,
        rows=ranks,
        cells=_cells(files, ranks, tuple(board["lakes"])),
        pieces=tuple(
            Piece(
                id=piece["id"],
                x=FILES.index(piece["square"][0]),
                y=ranks - int(piece["square"][1:]),
                side=piece["seat"],
                face=piece["rank"],
                text=_words(piece),
                known_to_all=piece["revealed"],
                moved=piece["moved"],
            )
            for piece in view["pieces"]
        ),
        labels=_labels(files, ranks),
        removed=tuple(
            Removed(gone["id"], gone["seat"], gone["rank"], _words(gone))
            for gone in view["captured"]
        ),
        pictures=PICTURES,
    )


def describe(event: Mapping[str, Any], before: View) -> tuple[str, str]:
    """Return an event's notation, such as `a4xa5`, and a sentence for people who use no board.

    The notation is empty for events that are not moves.
    """
    kind = event["type"]
    if kind == "moved":
        mover = next(piece for piece in before["pieces"] if piece["id"] == event["piece"])
        ends = f"{event['from']} to {event['to']}"
        return event["from"] + event["to"], f"{_words(mover)}, {ends}"
    if kind == "fought":
        return f"{event['from']}x{event['to']}", _fight_words(event)
    if kind == "revealed":
        return "", f"it is a {RANKS[event['rank']]}"
    if kind == "deployed":
        return "", f"{event['seat']} has deployed"
    if kind == "resigned":
        return "resign", f"{event['seat']} resigns"
    return "", f"the game is over: {event['termination'].replace('_', ' ')}"


def _fight_words(event: Mapping[str, Any]) -> str:
    attacker = f"{event['seat']} {RANKS[event['attacker']['rank']]} {event['from']}"
    defender = f"{RANKS[event['defender']['rank']]} {event['to']}"
    if event["winner"] == "attacker":
        return f"{attacker} takes {defender}"
    boom = "boom: " if event["boom"] else ""
    if event["winner"] == "defender":
        return f"{boom}{attacker} falls to {defender}"
    return f"{boom}{attacker} and {defender} both fall"


def _words(piece: Mapping[str, Any]) -> str:
    rank = piece["rank"]
    return f"{piece['seat']}, unknown" if rank is None else f"{piece['seat']} {RANKS[rank]}"


@cache
def _cells(files: int, ranks: int, lakes: tuple[str, ...]) -> tuple[Cell, ...]:
    names = ((x, y, f"{FILES[x]}{ranks - y}") for y in range(ranks) for x in range(files))
    return tuple(Cell(x, y, "lake" if name in lakes else "land", name) for x, y, name in names)


@cache
def _labels(files: int, ranks: int) -> tuple[Label, ...]:
    left = (Label("left", y, str(ranks - y)) for y in range(ranks))
    return (*left, *(Label("bottom", x, FILES[x]) for x in range(files)))
