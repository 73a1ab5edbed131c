"""The board: 156 squares around a fort of eight circles, and the ways that join the circles."""

from collections.abc import Mapping
from types import MappingProxyType

FILES = "abcdefghijklmnop"
RANKS = 12
FORT = ("f4", "k9")  # the corners of the block in the middle that has no squares (DE1)
DARK, LIGHT = 0, 1
COLOURS = ("dark", "light")


def _in_fort(x: int, rank: int) -> bool:
    """Return whether a place of the grid lies under the fort."""
    (left, low), (right, high) = ((FILES.index(name[0]), int(name[1:])) for name in FORT)
    return left <= x <= right and low <= rank <= high


SQUARES = tuple(
    f"{file}{rank}"
    for rank in range(1, RANKS + 1)
    for x, file in enumerate(FILES)
    if not _in_fort(x, rank)
)
CIRCLES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")  # the order of a deployment
NAMES = (*SQUARES, *CIRCLES)
PLACES: Mapping[str, int] = MappingProxyType({name: place for place, name in enumerate(NAMES)})
FIRST_CIRCLE = len(SQUARES)  # places from here on are circles


def grid(square: str) -> tuple[int, int]:
    """Return the column and the row of a square, both from 0, a1 at (0, 0)."""
    return FILES.index(square[0]), int(square[1:]) - 1


SHADE = tuple(sum(grid(square)) % 2 for square in SQUARES)  # DARK or LIGHT; a1 is dark

RING = tuple(zip(CIRCLES, (*CIRCLES[1:], CIRCLES[0]), strict=True))
DIAMOND = (("N", "E"), ("E", "S"), ("S", "W"), ("W", "N"))
WAYS = (*RING, *DIAMOND)  # DX1

EXITS: Mapping[str, Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "EW": MappingProxyType({"W": ("e6", "e7"), "E": ("l6", "l7")}),
        "NS": MappingProxyType({"N": ("h10", "i10"), "S": ("h3", "i3")}),
    }
)  # D25, DX2

STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
EVERY_WAY = (*STRAIGHT, *DIAGONAL)


def ray(square: str, step: tuple[int, int], reach: int) -> tuple[int, ...]:
    """Return the squares that lie ahead in one direction, as far as a reach and the board allow."""
    x, y = grid(square)
    ahead = []
    for _ in range(reach):
        x, y = x + step[0], y + step[1]
        name = f"{FILES[x]}{y + 1}" if 0 <= x < len(FILES) else ""
        if name not in PLACES:
            break
        ahead.append(PLACES[name])
    return tuple(ahead)


def circle_ways() -> dict[int, tuple[int, ...]]:
    """Map each circle to the circles that one way joins to it."""
    ways: dict[int, tuple[int, ...]] = {}
    for circle in CIRCLES:
        ends = (end for way in WAYS if circle in way for end in way if end != circle)
        ways[PLACES[circle]] = tuple(PLACES[end] for end in ends)
    return ways


def exit_ways(gates: str) -> tuple[tuple[int, int], ...]:
    """Pair each gate's circle with each of its squares."""
    return tuple(
        (PLACES[circle], PLACES[square])
        for circle, squares in EXITS[gates].items()
        for square in squares
    )
