"""The grid of a duel, with every step, ray and move worked out once."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

RED, BLUE, EMPTY, LAKE = range(4)  # what `State.side` holds for a square
FILES = "abcdefghijklmnopqrstuvwxyz"

Step = tuple[int, str]  # the square reached, and the move as text


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Squares are numbered from a1 = 0 along the files, rank by rank.

    `steps[square]` are the orthogonal neighbours that are land; `rays[square]` the free lines in
    the four directions, nearest first, up to a lake or the edge. `moves` knows every straight move
    as text: from, to, and the squares between, lakes included.
    """

    files: int
    ranks: int
    names: tuple[str, ...]
    index: dict[str, int]
    lakes: frozenset[int]
    steps: tuple[tuple[Step, ...], ...]
    rays: tuple[tuple[tuple[Step, ...], ...], ...]
    moves: dict[str, tuple[int, int, tuple[int, ...]]]
    neighbours: tuple[frozenset[int], ...]


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
    rays = tuple(
        tuple(ray for line in four if (ray := _dry(line, wet, names, start)))
        for start, four in enumerate(lines)
    )
    steps = tuple(tuple(ray[0] for ray in four) for four in rays)
    neighbours = tuple(frozenset(square for square, _ in near) for near in steps)
    return Board(files, ranks, names, index, wet, steps, rays, moves, neighbours)


def _lines(start: int, files: int, ranks: int) -> Iterator[list[int]]:
    rank, file = divmod(start, files)
    yield [start + files * n for n in range(1, ranks - rank)]
    yield [start + n for n in range(1, files - file)]
    yield [start - n for n in range(1, file + 1)]
    yield [start - files * n for n in range(1, rank + 1)]


def _dry(
    line: list[int], wet: frozenset[int], names: tuple[str, ...], start: int
) -> tuple[Step, ...]:
    shore = next((at for at, square in enumerate(line) if square in wet), len(line))
    return tuple((square, names[start] + names[square]) for square in line[:shore])
