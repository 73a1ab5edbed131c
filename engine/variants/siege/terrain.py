"""The board of the siege as lines: who could go where if nothing stood in the way."""

import json
from collections import deque
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

SOLDIER = "S"
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
EVERY_WAY = STRAIGHT + DIAGONAL
AFOOT = {"G": (EVERY_WAY, 1), "C": (STRAIGHT, 1), SOLDIER: (DIAGONAL, 1)}  # the garrison
LONG = {"G": (EVERY_WAY, 2), "C": (STRAIGHT, 2), "K": (EVERY_WAY, 1), "L": (DIAGONAL, 2)}
SHORT = {"G": (EVERY_WAY, 1), "C": (STRAIGHT, 1), "K": (STRAIGHT, 2), "L": (DIAGONAL, 2)}

Lines = tuple[tuple[str, ...], ...]


class Terrain:
    """The board of one game: who could go where if nothing stood in the way."""

    def __init__(self, board: Mapping[str, Any], *, long: bool, may_leave: bool) -> None:
        """Work out the lines of every rank from every place."""
        low, high = board["fort"]
        self.circles: tuple[str, ...] = tuple(board["circles"])
        self.gates: dict[str, tuple[str, ...]] = {
            gate: tuple(squares) for gate, squares in board["gates"].items()
        }
        self.squares: tuple[str, ...] = tuple(
            f"{file}{rank}"
            for rank in range(1, board["ranks"] + 1)
            for file in map(chr, range(97, 97 + board["files"]))
            if not (low[0] <= file <= high[0] and int(low[1:]) <= rank <= int(high[1:]))
        )
        gaits = {**(LONG if long else SHORT), SOLDIER: (DIAGONAL, 1)}
        ways = [tuple(way) for way in board["ways"]]
        exits = [(gate, square) for gate, squares in self.gates.items() for square in squares]
        self._lines: dict[tuple[bool, str], dict[str, Lines]] = {
            (besieger, rank): self._lines_of(gait, ways, exits, leaves=may_leave or not besieger)
            for besieger, table in ((False, AFOOT), (True, gaits))
            for rank, gait in table.items()
        }
        self.threats = {place: self._threats(place) for place in (*self.squares, *self.circles)}

    def lines(self, rank: str, place: str, *, besieger: bool) -> Lines:
        """Return the places ahead of a piece, line by line, nearest first."""
        return self._lines[besieger, rank][place]

    @lru_cache(maxsize=64)  # noqa: B019 - terrains are few and live as long as the program
    def steps_to(self, goal: str, rank: str) -> Mapping[str, int]:
        """Count the moves that a besieger of a rank needs to a place, from everywhere else."""
        origins: dict[str, list[str]] = {}
        for start, lines in self._lines[True, rank].items():
            for line in lines:
                for target in line:
                    origins.setdefault(target, []).append(start)
        far, queue = {goal: 0}, deque([goal])
        while queue:
            place = queue.popleft()
            for start in origins.get(place, ()):
                if start not in far:
                    far[start] = far[place] + 1
                    queue.append(start)
        return far

    def _lines_of(
        self,
        gait: tuple[tuple[tuple[int, int], ...], int],
        ways: list[tuple[str, ...]],
        exits: list[tuple[str, str]],
        *,
        leaves: bool,
    ) -> dict[str, Lines]:
        directions, reach = gait
        known = frozenset(self.squares)
        table: dict[str, list[tuple[str, ...]]] = {place: [] for place in self.circles}
        for square in self.squares:
            table[square] = [_line(square, step, reach, known) for step in directions]
        for circle, neighbour in ways:
            table[circle].append((neighbour,))
            table[neighbour].append((circle,))
        for gate, square in exits:
            table[square].append((gate,))
            if leaves:
                table[gate].append((square,))
        return {place: tuple(filter(None, lines)) for place, lines in table.items()}

    def _threats(self, goal: str) -> tuple[tuple[str, str, str], ...]:
        """List who could come to a place: a besieger's rank, its place, what lies between."""
        return tuple(
            (rank, start, line[0] if line.index(goal) else "")
            for (besieger, rank), table in self._lines.items()
            if besieger
            for start, lines in table.items()
            for line in lines
            if goal in line
        )


def _line(square: str, step: tuple[int, int], reach: int, known: frozenset[str]) -> tuple[str, ...]:
    file, rank, ahead = ord(square[0]), int(square[1:]), []
    for n in range(1, reach + 1):
        name = f"{chr(file + n * step[0])}{rank + n * step[1]}"
        if name not in known:
            break
        ahead.append(name)
    return tuple(ahead)


def shade(square: str) -> str:
    """Name the colour of a square."""
    return "light" if (ord(square[0]) + int(square[1:])) % 2 else "dark"


@lru_cache(maxsize=8)
def terrain_of(board: str, *, long: bool, may_leave: bool) -> Terrain:
    """Work out a board, given as JSON, once; games with the same options share it."""
    return Terrain(json.loads(board), long=long, may_leave=may_leave)
