"""Positions in the middle of a duel, set up square by square."""

from dataclasses import dataclass
from typing import Any

from engine.duel.spec import SEATS
from engine.duel.state import State
from engine.registry import find, resolve_options
from tests.unit.engine.underway import UnderWay


@dataclass(frozen=True)
class Duel(UnderWay):
    """A game under way, spoken to in squares and moves."""

    state: State

    @property
    def turn(self) -> str:
        return SEATS[self.state.to_move]

    def moves(self, seat: str | None = None) -> set[str]:
        return set(self.legal(seat))

    def moves_from(self, square: str) -> set[str]:
        """Return the squares that the piece on a square may go to now."""
        names = self.state.rules.board.names
        return {to for to in names if square + to in self.moves()}

    def on(self, square: str) -> str | None:
        """Return what stands on a square, such as `red 3`, or None."""
        piece = self.state.at[self.state.rules.board.index[square]]
        if piece < 0:
            return None
        return f"{SEATS[piece >= self.state.rules.strength]} {self.state.rank[piece]}"


def place(name: str, *, red: str, blue: str, to_move: str = "red", **options: Any) -> Duel:
    """Set up pieces given as `Fa1 3b2`: rank, then square."""
    variant = find(name)
    state: State = variant.begin(resolve_options(variant, options), 0)
    state.deployed, state.deploying = ["", ""], False
    state.to_move = SEATS.index(to_move)
    for seat, army in enumerate((red, blue)):
        for number, word in enumerate(army.split()):
            _stand(state, seat, seat * state.rules.strength + number, word)
    return Duel(variant, state)


def deployed(name: str, red: str, blue: str, **options: Any) -> Duel:
    """Begin a game with two deployments."""
    variant = find(name)
    state: State = variant.begin(resolve_options(variant, options), 0)
    variant.apply(state, "red", red)
    variant.apply(state, "blue", blue)
    return Duel(variant, state)


def _stand(state: State, seat: int, piece: int, word: str) -> None:
    state.rank[piece] = word[0]
    state.put(piece, seat, state.rules.board.index[word[1:]])
    state.muster(piece)
