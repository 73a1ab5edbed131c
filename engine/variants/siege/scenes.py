"""From a view to a picture and to words."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from engine.scene import Cell, Label, Line, Piece, Removed, Scene
from engine.variant import View
from engine.variants.siege.army import RANK_NAMES
from engine.variants.siege.board import (
    CIRCLES,
    FILES,
    FORT,
    LIGHT,
    RANKS,
    SHADE,
    SQUARES,
    grid,
)
from engine.variants.siege.faces import PICTURES

_MIDDLE, _TOP = 5.5, 3.5  # the circles stand two columns apart, half-way between the squares
_CIRCLE_PLACES = ((1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1), (0, 0))
PLACE: Mapping[str, tuple[float, float]] = MappingProxyType(
    {square: (x, RANKS - 1 - y) for square in SQUARES for x, y in (grid(square),)}
    | {
        circle: (_MIDDLE + 2 * x, _TOP + 2 * y)
        for circle, (x, y) in zip(CIRCLES, _CIRCLE_PLACES, strict=True)
    }
)


def scene(view: View) -> Scene:
    """Put a view into a picture, white on the left and black on the right."""
    return Scene(
        columns=len(FILES),
        rows=RANKS,
        cells=cells(),
        pieces=tuple(stone(piece) for piece in view["pieces"]),
        labels=labels(),
        removed=tuple(
            Removed(gone["id"], gone["seat"], RANK_NAMES[gone["rank"]], words(gone))
            for gone in view["captured"]
        ),
        lines=lines(view["board"]["ways"], view["board"]["gates"]),
        pictures=PICTURES,
    )


def describe(event: Mapping[str, Any], before: View) -> tuple[str, str]:
    """Return an event's notation, such as `c3-d4!` or `c3-d4xS`, and a sentence for it.

    The notation is empty for the placing of the garrison and for the end of the game.
    """
    kind = event["type"]
    if kind == "deployed":
        return "", f"the garrison takes its places: {event['deployment']}"
    if kind == "passed":
        return "pass", f"{event['seat']} has no move and passes"
    if kind == "resigned":
        return "resign", f"{event['seat']} resigns"
    if kind == "ended":
        return "", f"the game is over: {event['termination'].replace('_', ' ')}"
    mover = next(piece for piece in before["pieces"] if piece["id"] == event["piece"])
    if kind == "captured":
        taken = f"takes {words(event['taken'])} {event['to']}"
        notation = f"{event['from']}-{event['to']}x{event['taken']['rank']}"
        return notation, f"{words(mover)} {event['from']} {taken}"
    demand = event["demand"]
    if demand is None:
        asked, asks = "", ""
    elif demand == "any":
        asked, asks = "!", ", and asks for a capture"
    else:
        asked, asks = f"!{demand}", f", and asks for the capture of {demand}"
    return (
        f"{event['from']}-{event['to']}{asked}",
        f"{words(mover)}, {event['from']} to {event['to']}{asks}",
    )


def words(piece: Mapping[str, Any]) -> str:
    """Name a piece, such as `white captain`."""
    return f"{piece['seat']} {RANK_NAMES[piece['rank']]}"


def stone(piece: Mapping[str, Any]) -> Piece:
    """Draw a piece of a view; the colour that a soldier is bound to is said in words."""
    x, y = PLACE[piece["square"]]
    bound = f", bound to {piece['bound']} squares" if piece["bound"] else ""
    return Piece(
        id=piece["id"],
        x=x,
        y=y,
        side=piece["seat"],
        face=RANK_NAMES[piece["rank"]],
        text=words(piece) + bound,
    )


def lines(ways: list[list[str]], gates: Mapping[str, list[str]]) -> tuple[Line, ...]:
    """Draw the ways between circles and out of the gates."""
    leaving = ([circle, square] for circle, squares in gates.items() for square in squares)
    return tuple(Line(*PLACE[start], *PLACE[end]) for start, end in (*ways, *leaving))


@cache
def cells() -> tuple[Cell, ...]:
    """Draw the squares, the ground of the fort and its circles."""
    (left, low), (right, high) = (grid(corner) for corner in FORT)
    squares = (
        Cell(*PLACE[name], "light" if shade == LIGHT else "dark", name)
        for name, shade in zip(SQUARES, SHADE, strict=True)
    )
    ground = (
        Cell(x, RANKS - 1 - y, "wall")
        for y in range(high, low - 1, -1)
        for x in range(left, right + 1)
    )
    circles = (Cell(*PLACE[name], "circle", name) for name in CIRCLES)
    return (*squares, *ground, *circles)


@cache
def labels() -> tuple[Label, ...]:
    """Name the ranks on the left and the files below."""
    left = (Label("left", y, str(RANKS - y)) for y in range(RANKS))
    return (*left, *(Label("bottom", x, file) for x, file in enumerate(FILES)))
