"""The grid of a duel, with every step, ray and move worked out once."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

RED: Final = 0  # what `State.side` holds for a square
BLUE: Final = 1
EMPTY: Final = 2
LAKE: Final = 3
FILES = "abcdefghijklmnopqrstuvwxyz"

Step = tuple[int, str]  # the square reached, and the move as text
Ray = tuple[Step, ...]  # the land in one direction, nearest first, up to a lake or the edge


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Squares are numbered from a1 = 0 along the files, rank by rank.

    A square has up to four ways out, the orthogonal neighbours that are land, and a bit for each.
    Some of them may be closed, which is a sum of bits: `steps[square][closed]` are the texts of the
    steps that are left and `rays[square][closed]` the rays. `exits[square]` gives for each
    neighbour the bit of the way from there to here. `moves` knows every straight move as text:
    from, to, and the squares between, lakes included. `ground` and `free` are what `State.side` and
    `State.free` hold where nobody stands.
    """

    files: int
    ranks: int
    names: tuple[str, ...]
    index: dict[str, int]
    lakes: tuple[str, ...]
    steps: tuple[tuple[tuple[str, ...], ...], ...]
    rays: tuple[tuple[tuple[Ray, ...], ...], ...]
    exits: tuple[tuple[tuple[int, int], ...], ...]
    moves: dict[str, tuple[int, int, tuple[int, ...]]]
    neighbours: tuple[frozenset[int], ...]
    ground: tuple[int, ...]
    free: tuple[tuple[str, ...], ...]


@cache
def make_board(files: int, ranks: int, lakes: tuple[str, ...]) -> Board:
    """Work out a board; boards are shared, as nothing in them ever changes."""
    names = tuple(f"{FILES[file]}{rank + 1}" for rank in range(ranks) for file in range(files))
    index = {name: square for square, name in enumerate(names)}
    wet = frozenset(index[name] for name in lakes)
    lines = [list(_lines(square, files, ranks)) for square in range(len(names))]
    moves: dict[str, tuple[int, int, tuple[int, ...]]] = {}
    for start, four in enumerate(lines):
        for line in four:
            for distance, end in enumerate(line):
                moves[names[start] + names[end]] = (start, end, tuple(line[:distance]))
    rays = [
        [ray for line in four if start not in wet and (ray := _dry(line, wet, names, start))]
        for start, four in enumerate(lines)
    ]
    near = [[ray[0][0] for ray in four] for four in rays]
    return Board(
        files=files,
        ranks=ranks,
        names=names,
        index=index,
        lakes=tuple(names[square] for square in sorted(wet)),
        steps=tuple(
            tuple(tuple(ray[0][1] for ray in left) for left in _left_open(four)) for four in rays
        ),
        rays=tuple(tuple(_left_open(four)) for four in rays),
        exits=tuple(
            tuple((other, 1 << near[other].index(square)) for other in others)
            for square, others in enumerate(near)
        ),
        moves=moves,
        neighbours=tuple(frozenset(squares) for squares in near),
        ground=tuple(LAKE if square in wet else EMPTY for square in range(len(names))),
        free=tuple(tuple(ray[0][1] for ray in four) for four in rays),
    )


def _lines(start: int, files: int, ranks: int) -> Iterator[list[int]]:
    rank, file = divmod(start, files)
    yield [start + files * n for n in range(1, ranks - rank)]
    yield [start + n for n in range(1, files - file)]
    yield [start - n for n in range(1, file + 1)]
    yield [start - files * n for n in range(1, rank + 1)]


def _dry(line: list[int], wet: frozenset[int], names: tuple[str, ...], start: int) -> Ray:
    shore = next((at for at, square in enumerate(line) if square in wet), len(line))
    return tuple((square, names[start] + names[square]) for square in line[:shore])


def _left_open(rays: list[Ray]) -> Iterator[tuple[Ray, ...]]:
    """Yield the rays left for each sum of the bits of those that are closed."""
    for closed in range(1 << len(rays)):
        yield tuple(ray for bit, ray in enumerate(rays) if not closed >> bit & 1)
