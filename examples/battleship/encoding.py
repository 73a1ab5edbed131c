"""The game as numbers: one for each square shot at, and one for each place of a ship."""

from collections.abc import Collection

import numpy as np

from botkit.learning.encoding import Encoding, Json, Tensor, Tokens, share

from .waters import FLEET, SEATS, SIZE, SQUARES, grid, placements, written

PLANES = ("own ship", "missed by the enemy", "hit by the enemy", "missed", "hit", "setting up")
SET_UP = {squares: written({"": squares}) for n in {*FLEET.values()} for squares in placements(n)}


class BattleshipEncoding(Encoding):
    """A number for each square, then one for each square and way of a ship.

    A step of the set-up places the next ship.
    """

    def __init__(self, view: Json) -> None:  # noqa: ARG002 - the board never differs
        words = sorted({*SET_UP.values()})
        super().__init__(dict.fromkeys(SEATS, (*SQUARES, *words)))
        self.fields = {
            **dict.fromkeys(PLANES, 1),
            "enemy ship hit": len(FLEET),
            "enemy ship sunk": len(FLEET),
            "plies": 1,
        }
        self.shape = (sum(self.fields.values()), SIZE, SIZE)

    def join(self, tokens: Tokens) -> str:
        """Return the action that tokens spell."""
        return ",".join(tokens)

    def following(self, view: Json, spelled: Tokens) -> Collection[str]:
        """Return where the next ship can lie."""
        lengths = [*view["fleet"].values()]
        taken = {square for squares in _laid(lengths, spelled) for square in squares}
        return [
            SET_UP[squares]
            for length in lengths[len(spelled) : len(spelled) + 1]
            for squares in placements(length)
            if not taken & {*squares}
        ]

    def tensor(self, view: Json, spelled: Tokens) -> Tensor:
        """Return planes of the board: own ships and what fell on them, own shots, counts."""
        tensor: Tensor = np.zeros(self.shape, np.float32)
        own, enemy = (view["seats"][seat] for seat in _own_first(view["observer"]))
        ships = [squares for squares in own["ships"].values() if squares]
        for squares in ships or _laid([*view["fleet"].values()], spelled):
            for square in squares:
                tensor[0, *grid(square)] = 1.0
        for plane, waters in ((1, own), (3, enemy)):
            for shot in waters["shots"]:
                tensor[plane + bool(shot["ship"]), *grid(shot["square"])] = 1.0
        tensor[5] = view["phase"] == "deploy"
        for number, ship in enumerate(FLEET, start=len(PLANES)):
            for shot in enemy["shots"]:
                if shot["ship"] == ship:
                    tensor[number, *grid(shot["square"])] = 1.0
            tensor[number + len(FLEET)] = ship in enemy["sunk"]
        tensor[-1] = share(view["ply"], view["limits"]["max_plies"])
        return tensor


ENCODING = BattleshipEncoding


def _own_first(observer: str) -> tuple[str, ...]:
    return SEATS if observer == SEATS[0] else SEATS[::-1]


def _laid(lengths: list[int], spelled: Tokens) -> list[tuple[str, ...]]:
    """Return the squares of the ships that are placed."""
    return [
        next(squares for squares in placements(length) if SET_UP[squares] == word)
        for length, word in zip(lengths, spelled, strict=False)
    ]
