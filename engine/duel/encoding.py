"""Duels as numbers: every game whose view has a board, an army and pieces.

Each seat sees the board from its own side: blue's is turned by half, moves and squares alike.
"""

from collections import Counter
from collections.abc import Collection, Iterator

import numpy as np

from botkit.learning.encoding import Encoding, Json, Tensor, Tokens, left_of, share

SEATS = ("red", "blue")
BOARD_PLANES = ("hidden enemy", "enemy moved", "own moved", "own revealed", "lake", "next square")
CONSTANT_PLANES = ("setting up", "plies", "plies without an attack")


class DuelEncoding(Encoding):
    """A duel: a number for each straight move, by the square left, and one for each rank.

    The `n`-th square is at file `n % files` and row `n // files` as the seat sees them. The move
    from there along its row to a file is `1 + n * (files + ranks) + file`, the move along its file
    to a row `1 + n * (files + ranks) + files + row`. Then come the ranks in the army's order: one
    step of the set-up puts a rank on the next square of the home.
    """

    def __init__(self, view: Json) -> None:
        self.files, self.ranks = view["board"]["files"], view["board"]["ranks"]
        self._army: dict[str, int] = dict(view["army"])
        squares = [f"{chr(97 + x)}{y + 1}" for y in range(self.ranks) for x in range(self.files)]
        self._places = {"red": squares, "blue": squares[::-1]}
        super().__init__({seat: (*self._moves(self._places[seat]), *self._army) for seat in SEATS})
        kinds = len(self._army)
        self.fields = {
            "own rank": kinds,
            "known enemy rank": kinds,
            **dict.fromkeys(BOARD_PLANES, 1),
            "enemy ranks unseen": kinds,
            **dict.fromkeys(CONSTANT_PLANES, 1),
        }
        self.shape = (sum(self.fields.values()), self.ranks, self.files)
        self._cells = {
            seat: {square: at for at, square in enumerate(places)}
            for seat, places in self._places.items()
        }
        area = self.files * self.ranks
        self._own = {rank: at * area for at, rank in enumerate(self._army)}
        self._enemy = {rank: (kinds + at) * area for at, rank in enumerate(self._army)}
        self._plane = {name: (2 * kinds + at) * area for at, name in enumerate(BOARD_PLANES)}
        self._constants = 2 * kinds + len(BOARD_PLANES)
        self._lakes = {
            seat: [self._plane["lake"] + cells[square] for square in view["board"]["lakes"]]
            for seat, cells in self._cells.items()
        }

    def _moves(self, places: list[str]) -> Iterator[str]:
        """Write the moves of each square, and nothing where a move would end on its own square."""
        files = self.files
        for start, name in enumerate(places):
            row, file = divmod(start, files)
            ends = [row * files + x for x in range(files)]
            ends += [y * files + file for y in range(self.ranks)]
            for end in ends:
                yield name + places[end] if end != start else ""

    def following(self, view: Json, spelled: Tokens) -> Collection[str]:
        """Return what is left of the army, which a set-up uses up."""
        return left_of(Counter(view["army"]), spelled, len(view["home"]))

    def tensor(self, view: Json, spelled: Tokens) -> Tensor:
        """Return planes of the board, rows from the seat's own side."""
        seat, cells, plane = view["observer"], self._cells[view["observer"]], self._plane
        own_at, enemy_at, hidden = self._own, self._enemy, plane["hidden enemy"]
        enemy_moved, moved, revealed = (
            plane["enemy moved"],
            plane["own moved"],
            plane["own revealed"],
        )
        unseen, lit = self._army.copy(), self._lakes[seat].copy()
        light = lit.append
        for piece in view["pieces"]:
            cell, rank = cells[piece["square"]], piece["rank"]
            if piece["seat"] == seat:
                light(own_at[rank] + cell)
                if piece["moved"]:
                    light(moved + cell)
                if piece["revealed"]:
                    light(revealed + cell)
                continue
            if rank is None:
                light(hidden + cell)
            else:
                light(enemy_at[rank] + cell)
                unseen[rank] -= 1
            if piece["moved"]:
                light(enemy_moved + cell)
        for fallen in view["captured"]:
            if fallen["seat"] != seat:
                unseen[fallen["rank"]] -= 1
        deploying = view["phase"] == "deploy"
        if deploying and not view["pieces"]:
            home = [cells[square] for square in view.get("home", ())]
            lit += [own_at[rank] + cell for rank, cell in zip(spelled, home, strict=False)]
            lit += [plane["next square"] + cell for cell in home[len(spelled) :][:1]]
        limits = view["limits"]
        constants = [unseen[rank] / count for rank, count in self._army.items()]
        constants.append(float(deploying))
        constants.append(share(view["ply"], limits["max_plies"]))
        constants.append(share(view["no_attack_plies"], limits["no_attack_plies"]))
        tensor: Tensor = np.zeros(self.shape, np.float32)
        tensor.reshape(-1)[lit] = 1.0
        tensor[self._constants :] = np.array(constants, np.float32)[:, None, None]
        return tensor


ENCODING = DuelEncoding
