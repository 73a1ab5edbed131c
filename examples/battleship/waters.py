"""The waters of a fleet: squares, ships, and where a ship can lie."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

SIZE = 8
FILES = "abcdefgh"
SEATS = ("red", "blue")
FLEET: Mapping[str, int] = MappingProxyType(
    {"C": 4, "D": 3, "S": 3, "L": 2}
)  # squares of each ship
NAMES: Mapping[str, str] = MappingProxyType(
    {"C": "cruiser", "D": "destroyer", "S": "submarine", "L": "launch"}
)
SQUARES = tuple(f"{file}{rank}" for rank in range(1, SIZE + 1) for file in FILES)
RIGHT, UP = "r", "u"

Placement = tuple[str, ...]  # the squares of a ship, from the one that is named
Fleet = Mapping[str, Placement]


def grid(square: str) -> tuple[int, int]:
    """Return the column and the row of a square, from 0."""
    return FILES.index(square[0]), int(square[1]) - 1


@cache
def placement(length: int, start: str, way: str) -> Placement | None:
    """Return the squares of a ship that lies from `start` to the right or up, or None off board."""
    x, y = grid(start)
    dx, dy = (1, 0) if way == RIGHT else (0, 1)
    if max(x + dx * (length - 1), y + dy * (length - 1)) >= SIZE:
        return None
    return tuple(f"{FILES[x + dx * n]}{y + dy * n + 1}" for n in range(length))


@cache
def placements(length: int) -> tuple[Placement, ...]:
    """Return every way in which a ship can lie."""
    ways = (placement(length, start, way) for start in SQUARES for way in (RIGHT, UP))
    return tuple(squares for squares in ways if squares is not None)


def written(fleet: Fleet) -> str:
    """Write a fleet as the action that sets it up, such as `a1r,c3u,e5r,h7u`."""
    return ",".join(
        squares[0] + (RIGHT if squares[0][1] == squares[1][1] else UP) for squares in fleet.values()
    )
