"""The state of a duel: flat lists, changed in place."""

from typing import TYPE_CHECKING, Final

from engine.duel.army import IMMOBILE, SCOUT
from engine.duel.board import EMPTY
from engine.duel.chase import Hunt
from engine.duel.spec import Rules

if TYPE_CHECKING:
    from engine.outcome import Result

OFF: Final = -1  # the square of a captured piece, and the piece of a square without one


class State:
    """A duel under way. Pieces are numbers: red's from 0 in the order of its home, then blue's.

    square[piece], rank[piece], moved[piece], shown[piece] (its rank was told to all); at[square] is
    a piece or OFF, side[square] is RED, BLUE, EMPTY or LAKE; walkers[seat] and scouts[seat] list
    the pieces alive that can ever move; barred[seat] the moves that the shuttle limit forbids.
    closed[seat][square] sums up the ways out of a square (see Board) that end at a piece of the
    seat, free[seat][square] are the steps over the others: only a seat's own moves and losses
    change them, so they are kept and not worked out at every turn.
    """

    __slots__ = (
        "at",
        "barred",
        "captured",
        "closed",
        "deployed",
        "deploying",
        "free",
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
    )

    def __init__(self, rules: Rules) -> None:
        pieces, squares = 2 * rules.strength, len(rules.board.names)
        self.rules = rules
        self.deployed: list[str | None] = [None, None]
        self.deploying = True
        self.square = [OFF] * pieces
        self.rank = [""] * pieces
        self.moved = [False] * pieces
        self.shown = [False] * pieces
        self.at = [OFF] * squares
        self.side = list(rules.board.ground)
        self.closed = [[0] * squares, [0] * squares]
        self.free = [list(rules.board.free), list(rules.board.free)]
        self.walkers: list[list[int]] = [[], []]
        self.scouts: list[list[int]] = [[], []]
        self.captured: list[int] = []
        self.ply = 0
        self.quiet_plies = 0
        self.to_move = 0
        self.series = [(OFF, OFF, OFF, 0)] * 2  # piece, from, to, moves in the series
        self.barred: list[tuple[str, ...]] = [(), ()]
        self.hunts = [Hunt(), Hunt()]
        self.result: Result | None = None

    def put(self, piece: int, seat: int, square: int) -> None:
        """Stand a piece of a seat on an empty square."""
        self.at[square], self.side[square], self.square[piece] = piece, seat, square
        self._turn(seat, square)

    def lift(self, piece: int, seat: int) -> int:
        """Take a piece of a seat off its square, and give that."""
        square = self.square[piece]
        self.at[square], self.side[square], self.square[piece] = OFF, EMPTY, OFF
        self._turn(seat, square)
        return square

    def _turn(self, seat: int, square: int) -> None:
        """Close or open the ways to a square for the seat's own pieces around it."""
        board, closed, free = self.rules.board, self.closed[seat], self.free[seat]
        for near, bit in board.exits[square]:
            left = closed[near] ^ bit
            closed[near], free[near] = left, board.steps[near][left]

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


def copy(state: State) -> State:
    """Return an independent copy; the rules are shared."""
    twin = State(state.rules)
    twin.result = state.result
    twin.ply, twin.quiet_plies, twin.to_move = state.ply, state.quiet_plies, state.to_move
    twin.deployed, twin.deploying = state.deployed[:], state.deploying
    twin.square, twin.rank = state.square[:], state.rank[:]
    twin.moved, twin.shown = state.moved[:], state.shown[:]
    twin.at, twin.side = state.at[:], state.side[:]
    twin.walkers = [pieces[:] for pieces in state.walkers]
    twin.scouts = [pieces[:] for pieces in state.scouts]
    twin.captured = state.captured[:]
    twin.series, twin.barred = state.series[:], state.barred[:]
    twin.closed = [ways[:] for ways in state.closed]
    twin.free = [steps[:] for steps in state.free]
    twin.hunts = [hunt.copy() for hunt in state.hunts]
    return twin
