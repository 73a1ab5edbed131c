"""A siege in numbers: places, pieces as codes, and moves that can be taken back."""

from functools import lru_cache
from typing import NamedTuple

from botkit import Field, SiegeView, Terrain, shade

SOLDIER = "S"

EMPTY, NOWHERE = 0, -1
FREE, DARK, LIGHT = 3, 4, 5  # soldiers of the garrison: bound to no colour yet, or to one
AFOOT = {"G": 1, "C": 2, SOLDIER: FREE}
FIRST_BESIEGER = 6  # white's codes start here, black's after them, both in the order of RANKS
RANKS = "GCKLS"
SOLDIERS = (10, 15)  # besieging ones
CODES = 16
SEATS = ("garrison", "white", "black")
SEAT_OF = (NOWHERE, *(0,) * 5, *(1,) * 5, *(2,) * 5)
PER_COLOUR = 3  # soldiers of the garrison
UNREACHABLE = 99

Move = tuple[int, int]  # from a place to another
Lines = tuple[tuple[int, ...], ...]


class Undo(NamedTuple):
    """What a move changed beside the two places."""

    code: int
    victim: int
    victims_slot: int
    freed: list[int]  # soldiers that were free to choose a colour before the move


class Tables:
    """What never changes in a game: who goes where, by code and place."""

    def __init__(self, terrain: Terrain) -> None:
        """Create the tables; the numbers of places begin with the squares."""
        self.names = (*terrain.squares, *terrain.circles)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.first_circle = len(terrain.squares)
        self.shade = [DARK if shade(name) == "dark" else LIGHT for name in terrain.squares]
        gaits = [self._lines(terrain, rank, besieger=True) for rank in RANKS]
        self.rays = [*([] for _ in range(FIRST_BESIEGER)), *gaits, *gaits]
        self.steps = self._steps(terrain)
        self.threats = [self._threats(terrain, name) for name in self.names]
        self.near = [frozenset(start for start, _, _ in ways) for ways in self.threats]
        self.gates = {
            self.numbers[gate]: tuple(self.numbers[square] for square in squares)
            for gate, squares in terrain.gates.items()
        }
        self.far = {gate: self._far(terrain, self.names[gate]) for gate in self.gates}

    def _lines(self, terrain: Terrain, rank: str, *, besieger: bool) -> list[Lines]:
        """Return the lines of a rank from every place."""
        return [
            tuple(
                tuple(self.numbers[square] for square in line)
                for line in terrain.lines(rank, name, besieger=besieger)
            )
            for name in self.names
        ]

    def _steps(self, terrain: Terrain) -> list[list[tuple[int, ...]]]:
        """Return the targets of the garrison's pieces from every place; each goes one step."""
        steps: list[list[tuple[int, ...]]] = [[] for _ in range(FIRST_BESIEGER)]
        for rank, code in AFOOT.items():
            lines = self._lines(terrain, rank, besieger=False)
            steps[code] = [tuple(line[0] for line in ways) for ways in lines]
        for colour in (DARK, LIGHT):
            steps[colour] = [
                tuple(
                    target
                    for target in targets
                    if target >= self.first_circle
                    or place < self.first_circle
                    or self.shade[target] == colour
                )
                for place, targets in enumerate(steps[FREE])
            ]
        return steps

    def _threats(self, terrain: Terrain, name: str) -> tuple[tuple[int, int, int], ...]:
        """List who could come to a place: from where, across what, and a mask of codes."""
        masks: dict[tuple[int, int], int] = {}
        for rank, start, between in terrain.threats[name]:
            way = self.numbers[start], self.numbers[between] if between else NOWHERE
            white = FIRST_BESIEGER + RANKS.index(rank)
            masks[way] = masks.get(way, 0) | 1 << white | 1 << white + len(RANKS)
        return tuple((start, between, mask) for (start, between), mask in masks.items())

    def _far(self, terrain: Terrain, gate: str) -> list[list[int]]:
        """Count the moves of besiegers to a gate, by code and place."""
        counted = [
            [terrain.steps_to(gate, rank).get(name, UNREACHABLE) for name in self.names]
            for rank in RANKS
        ]
        return [*([] for _ in range(FIRST_BESIEGER)), *counted, *counted]


@lru_cache(maxsize=4)
def tables_of(terrain: Terrain) -> Tables:
    """Work out the tables of a board once."""
    return Tables(terrain)


class Board:
    """Who stands where. `places` lists the places of each seat, NOWHERE for what was captured."""

    def __init__(self, tables: Tables, field: Field, view: SiegeView) -> None:
        """Set up what a view shows."""
        self.tables = tables
        self.at = [EMPTY] * len(tables.names)
        self.slot = [NOWHERE] * len(tables.names)  # where in `places` a piece has its place
        self.places: tuple[list[int], list[int], list[int]] = ([], [], [])
        for piece in view.pieces:
            seat, place = SEATS.index(piece.seat), tables.numbers[piece.place]
            if seat:
                code = FIRST_BESIEGER + len(RANKS) * (seat - 1) + RANKS.index(piece.rank)
            else:
                code = {"dark": DARK, "light": LIGHT}.get(piece.bound, AFOOT[piece.rank])
            self.at[place] = code
            self.slot[place] = len(self.places[seat])
            self.places[seat].append(place)
        for colour in field.full:
            self._bind_free(LIGHT if colour == "dark" else DARK)
        self.inside = [view.inside["soldiers"], view.inside["officers"]]
        self.taken = [view.taken["soldiers"], view.taken["officers"]]

    def _bind_free(self, colour: int) -> list[int]:
        """Leave one colour to the soldiers that are still free, as the other has its three."""
        free = [place for place in self.places[0] if self.at[place] == FREE]
        for place in free:
            self.at[place] = colour
        return free

    def play(self, start: int, target: int) -> Undo:
        """Move a piece, and capture what stands on its target."""
        at, slot, first = self.at, self.slot, self.tables.first_circle
        code, victim = at[start], at[target]
        undo = Undo(code, victim, slot[target], [])
        if victim:
            self.places[SEAT_OF[victim]][slot[target]] = NOWHERE
            self._count(victim, target, 1)
        seat = SEAT_OF[code]
        at[start], at[target], slot[target] = EMPTY, code, slot[start]
        self.places[seat][slot[start]] = target
        if seat:
            self.inside[code not in SOLDIERS] += (target >= first) - (start >= first)
        elif code == FREE and target < first:
            at[target] = colour = self.tables.shade[target]
            if sum(at[place] == colour for place in self.places[0]) >= PER_COLOUR:
                undo.freed.extend(self._bind_free(DARK + LIGHT - colour))
        return undo

    def take_back(self, start: int, target: int, undo: Undo) -> None:
        """Take the last move back."""
        at, slot, first = self.at, self.slot, self.tables.first_circle
        for place in undo.freed:
            at[place] = FREE
        seat = SEAT_OF[undo.code]
        at[start], at[target] = undo.code, undo.victim
        slot[start], slot[target] = slot[target], undo.victims_slot
        self.places[seat][slot[start]] = start
        if undo.victim:
            self.places[SEAT_OF[undo.victim]][undo.victims_slot] = target
            self._count(undo.victim, target, -1)
        if seat:
            self.inside[undo.code not in SOLDIERS] -= (target >= first) - (start >= first)

    def _count(self, victim: int, place: int, change: int) -> None:
        """Count a captured besieger, or one that is back."""
        officer = victim not in SOLDIERS
        self.taken[officer] += change
        if place >= self.tables.first_circle:
            self.inside[officer] -= change

    def guarded(self, place: int, leaving: int = NOWHERE) -> bool:
        """Return whether a besieger could move to a place once a capturer has left its own."""
        at = self.at
        for start, between, mask in self.tables.threats[place]:
            if mask >> at[start] & 1 and (between in (NOWHERE, leaving) or not at[between]):
                return True
        return False

    def besieger_moves(self, seat: int) -> list[Move]:
        at, rays = self.at, self.tables.rays
        moves = []
        for start in self.places[seat]:
            for line in rays[at[start]][start] if start >= 0 else ():
                for target in line:
                    if at[target]:
                        break
                    moves.append((start, target))
        return moves

    def prey(self, start: int, target: int) -> bool:
        """Return whether a piece of the garrison could capture what stands on a place."""
        victim = self.at[target]
        if victim < FIRST_BESIEGER:
            return False
        safe = target >= self.tables.first_circle and victim in SOLDIERS
        return not safe and not self.guarded(target, start)

    def garrison_moves(self) -> list[Move]:
        """List the garrison's moves. Where those outside cannot move, somebody must come out."""
        at, steps, first = self.at, self.tables.steps, self.tables.first_circle
        field: list[Move] = []
        leaving: list[Move] = []
        inner: list[Move] = []
        for start in self.places[0]:
            for target in steps[at[start]][start]:
                if not at[target] or self.prey(start, target):
                    kind = field if start < first else leaving if target < first else inner
                    kind.append((start, target))
        if field or not any(at[place] >= FREE for place in self.places[0] if place < first):
            return field + leaving + inner
        return leaving or [move for move in inner if at[move[0]] < FREE]
