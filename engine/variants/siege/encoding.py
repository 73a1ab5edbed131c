"""The siege as numbers: every game whose view has a board with a fort, and who is inside."""

from collections import Counter
from collections.abc import Collection, Iterator

import numpy as np

from botkit.learning.encoding import Encoding, Json, Tensor, Tokens, left_of, share
from engine.variants.siege.terrain import SOLDIER

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
REACH = (1, 2)
GATE_SQUARES = (1, 2)
PASS = "pass"  # noqa: S105 - a move, no password
DEMAND = "!"
PHASES = ("deploy", "turn", "over")
KINDS = ("soldiers", "officers")


class SiegeEncoding(Encoding):
    """The siege: a number for each move by place and kind of move, the same ones with a demand.

    A step of the set-up puts a rank on the next circle. Where demands name a piece, the place of
    the piece is a step of its own.
    """

    def __init__(self, view: Json) -> None:
        board = view["board"]
        self._files, self._ranks = board["files"], board["ranks"]
        grid = [(x, y) for y in range(self._ranks) for x in range(self._files)]
        self._names = {at: f"{chr(97 + at[0])}{at[1] + 1}" for at in grid}
        self._circles: list[str] = board["circles"]
        self._seats = tuple(view["army"])
        moves = (*self._moves(board["gates"]), PASS)
        places = (*self._names.values(), *self._circles)
        tokens = (
            *moves,
            *(move + DEMAND if move else "" for move in moves),
            *(DEMAND + place for place in places),
            *view["army"][self._seats[0]],
        )
        super().__init__(dict.fromkeys(self._seats, tokens))
        self._cells = {name: at for at, name in enumerate(self._names.values())}
        fort, circles = self._fort(board["fort"])
        self._cells |= dict(zip(self._circles, circles, strict=True))
        self._standing = sorted({*self._cells.values()} - fort | {*circles})
        besieging = [army for seat, army in view["army"].items() if seat != self._seats[0]]
        soldiers = sum(army[SOLDIER] for army in besieging)
        officers = sum(map(sum, (army.values() for army in besieging))) - soldiers
        self._strength = {"soldiers": soldiers, "officers": officers}
        ranks = [(seat, rank) for seat, army in view["army"].items() for rank in army]
        self._layers = {rank: layer for layer, rank in enumerate(ranks)}
        self._gates = [self._cells[at] for squares in board["gates"].values() for at in squares]
        self.fields = {
            "rank of a seat": len(ranks),
            "bound to a colour": 2,
            "place": 1,
            "gate": 1,
            "demanded": 1,
            "being moved": 1,
            "own seat": len(self._seats),
            "turn of the cycle": len(view["cycle"]),
            "phase": len(PHASES),
            "demand, binding demand": 2,
            "soldiers and officers inside": len(KINDS),
            "soldiers and officers taken": len(KINDS),
            "plies": 1,
            "plies without progress": 1,
        }
        self.shape = (sum(self.fields.values()), self._ranks, self._files)

    def _fort(self, corners: list[str]) -> tuple[set[int], list[int]]:
        """Return the cells of the fort, and one of them for each circle, from the north on."""
        (left, low), (right, high) = ((ord(at[0]) - 97, int(at[1:]) - 1) for at in corners)
        x, y = (left + right) // 2, (low + high) // 2
        ways = (
            *((x, high), (right, high), (right, y), (right, low)),
            *((x, low), (left, low), (left, y), (left, high)),
        )
        block = {
            row * self._files + file
            for row in range(low, high + 1)
            for file in range(left, right + 1)
        }
        return block, [row * self._files + file for file, row in ways]

    def _moves(self, gates: dict[str, list[str]]) -> Iterator[str]:
        """Write moves over squares, into the fort, within it and out of it; else nothing."""
        inward = {square: circle for circle, squares in gates.items() for square in squares}
        for (x, y), name in self._names.items():
            for dx, dy in DIRECTIONS:
                for steps in REACH:
                    target = self._names.get((x + steps * dx, y + steps * dy))
                    yield f"{name}-{target}" if target else ""
            yield f"{name}-{inward[name]}" if name in inward else ""
        for circle in self._circles:
            for other in self._circles:
                yield f"{circle}-{other}" if other != circle else ""
            squares = gates.get(circle, [])
            for at in GATE_SQUARES:
                yield f"{circle}-{squares[at - 1]}" if at <= len(squares) else ""

    def split(self, action: str) -> Tokens:
        """Return a set-up circle by circle, and a demand for a piece apart from its move."""
        if "-" not in action and action != PASS:
            return tuple(action)
        move, asks, place = action.partition(DEMAND)
        return (move + asks, DEMAND + place) if place else (move + asks,)

    def join(self, tokens: Tokens) -> str:
        """Return the action that tokens spell."""
        return "".join(tokens).replace(DEMAND + DEMAND, DEMAND)

    def following(self, view: Json, spelled: Tokens) -> Collection[str]:
        """Return what is left of the garrison, which a set-up uses up."""
        return left_of(Counter(view["army"][view["observer"]]), spelled, len(self._circles))

    def tensor(self, view: Json, spelled: Tokens) -> Tensor:
        """Return planes of the board, with the circles on eight cells of the fort."""
        area, cells, base = self._files * self._ranks, self._cells, len(self._layers)
        lit = [
            self._layers[p["seat"], p["rank"]] * area + cells[p["square"]] for p in view["pieces"]
        ]
        lit += [
            (base + (p["bound"] == "light")) * area + cells[p["square"]]
            for p in view["pieces"]
            if p["bound"]
        ]
        lit += [(base + 2) * area + cell for cell in self._standing]
        lit += [(base + 3) * area + cell for cell in self._gates]
        demand = view["demand"]
        if demand and demand["asks"] in cells:
            lit.append((base + 4) * area + cells[demand["asks"]])
        if view["phase"] == "deploy":
            garrison = self._seats[0]
            placed = zip(spelled, self._circles, strict=False)
            lit += [self._layers[garrison, rank] * area + cells[at] for rank, at in placed]
        elif spelled:
            lit += [(base + 5) * area + cells[at] for at in spelled[0].rstrip(DEMAND).split("-")]
        tensor: Tensor = np.zeros(self.shape, np.float32)
        tensor.reshape(-1)[lit] = 1.0
        tensor[base + 6 :] = self._constant(view)
        return tensor

    def _constant(self, view: Json) -> Tensor:
        """Return the values of the planes that are the same on every square."""
        demand, limits = view["demand"], view["limits"]
        values = [
            *(view["observer"] == seat for seat in self._seats),
            *(view["turn"] == at for at in range(len(view["cycle"]))),
            *(view["phase"] == phase for phase in PHASES),
            demand is not None,
            demand is not None and demand["binds"],
            *(share(view["inside"][who], len(self._circles)) for who in KINDS),
            *(share(view["taken"][who], self._strength[who]) for who in KINDS),
            share(view["ply"], limits["max_plies"]),
            share(view["no_progress_plies"], limits["no_progress_plies"]),
        ]
        return np.array(values, np.float32)[:, None, None]


ENCODING = SiegeEncoding
