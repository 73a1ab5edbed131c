"""The state of a duel: flat lists, changed in place."""

from typing import TYPE_CHECKING

from engine.duel.army import IMMOBILE, SCOUT
from engine.duel.board import EMPTY, LAKE
from engine.duel.chase import Hunt
from engine.duel.spec import Rules

if TYPE_CHECKING:
    from engine.outcome import Result

OFF = -1  # the square of a captured piece, and the piece of a square without one


class State:
    """A duel under way. Pieces are numbers: red's from 0 in the order of its home, then blue's.

    square[piece], rank[piece], moved[piece], shown[piece] (its rank was told to all); at[square] is
    a piece or OFF, side[square] is RED, BLUE, EMPTY or LAKE; walkers[seat] and scouts[seat] list
    the pieces alive that can ever move; barred[seat] the moves that the shuttle limit forbids;
    witness[seat] is a move that was free when last looked at, which makes the question of
    immobility cheap.
    """

    __slots__ = (
        "at",
        "barred",
        "captured",
        "deployed",
        "hunts",
        "moved",
        "ply",
        "quiet_plies",
        "rank",
        "result",
        "rules",
        "scouts",
        "series",
        "shown",
        "side",
        "square",
        "to_move",
        "walkers",
        "witness",
    )

    def __init__(self, rules: Rules) -> None:
        pieces, squares = 2 * rules.strength, len(rules.board.names)
        self.rules = rules
        self.deployed: list[str | None] = [None, None]
        self.square = [OFF] * pieces
        self.rank = [""] * pieces
        self.moved = [False] * pieces
        self.shown = [False] * pieces
        self.at = [OFF] * squares
        self.side = [LAKE if square in rules.board.lakes else EMPTY for square in range(squares)]
        self.walkers: list[list[int]] = [[], []]
        self.scouts: list[list[int]] = [[], []]
        self.captured: list[int] = []
        self.ply = 0
        self.quiet_plies = 0
        self.to_move = 0
        self.series = [(OFF, OFF, OFF, 0)] * 2  # piece, from, to, moves in the series
        self.barred: list[tuple[str, ...]] = [(), ()]
        self.witness = [(OFF, OFF, OFF)] * 2  # piece, from, to
        self.hunts = [Hunt(), Hunt()]
        self.result: Result | None = None

    def muster(self, piece: int) -> None:
        """Enlist a piece that stands on the board among those of its seat that can move."""
        seat = int(piece >= self.rules.strength)
        if self.rank[piece] == SCOUT:
            self.scouts[seat].append(piece)
        elif self.rank[piece] not in IMMOBILE:
            self.walkers[seat].append(piece)

    def dismiss(self, piece: int) -> None:
        """Strike a piece that leaves the board off the list it is in."""
        seat = int(piece >= self.rules.strength)
        if self.rank[piece] == SCOUT:
            self.scouts[seat].remove(piece)
        elif self.rank[piece] not in IMMOBILE:
            self.walkers[seat].remove(piece)

    @property
    def deploying(self) -> bool:
        """Whether some seat has not deployed yet."""
        return None in self.deployed


def copy(state: State) -> State:
    """Give an independent copy; the rules are shared."""
    twin: State = State.__new__(State)
    twin.rules, twin.result = state.rules, state.result
    twin.ply, twin.quiet_plies, twin.to_move = state.ply, state.quiet_plies, state.to_move
    twin.deployed = state.deployed[:]
    twin.square, twin.rank = state.square[:], state.rank[:]
    twin.moved, twin.shown = state.moved[:], state.shown[:]
    twin.at, twin.side = state.at[:], state.side[:]
    twin.walkers = [pieces[:] for pieces in state.walkers]
    twin.scouts = [pieces[:] for pieces in state.scouts]
    twin.captured = state.captured[:]
    twin.series, twin.barred = state.series[:], state.barred[:]
    twin.witness = state.witness[:]
    twin.hunts = [hunt.copy() for hunt in state.hunts]
    return twin
