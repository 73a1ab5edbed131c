"""The state of a siege: flat lists, changed in place."""

from typing import TYPE_CHECKING, NamedTuple

from engine.variants.siege.army import (
    CYCLE,
    FIRST,
    GARRISON,
    KIND,
    LIEUTENANT,
    PIECES,
    SOLDIER,
    WHITE,
    Kind,
    seat_of,
)
from engine.variants.siege.board import CIRCLES, NAMES, PLACES, SHADE
from engine.variants.siege.readings import NOWHERE, Rules, is_circle

if TYPE_CHECKING:
    from engine.outcome import Result

EMPTY = -1
KEEP_COLOUR = (LIEUTENANT, SOLDIER)  # besiegers that never leave their colour (D2)
PER_COLOUR = 3  # how many soldiers of the garrison one colour may have (D14)


class Demand(NamedTuple):
    """What a besieger has just asked for (D22): some capture, or that of the piece on `place`."""

    seat: int
    place: int = NOWHERE  # NOWHERE where any capture will do
    binds: bool = False  # whether the garrison can do as it is asked


class State:
    """A siege under way. Pieces are numbers: the garrison's, white's, then black's.

    where[piece] is a place or NOWHERE, at[place] a piece or EMPTY, rank[piece] a code, kind[piece]
    a number into KINDS, which says how it moves; shade[piece] the colour that a garrison soldier is
    bound to, or None; entered[piece] whether it has ever been in the fort; alive[seat] the pieces
    on the board; `slot` the place in the cycle of turns, `to_move` who moves in it; `moves` all the
    moves of that seat, demands left out, worked out when the turn begins.
    """

    __slots__ = (
        "alive",
        "at",
        "captured",
        "demand",
        "deployed",
        "entered",
        "kind",
        "moves",
        "ply",
        "quiet_plies",
        "rank",
        "result",
        "rules",
        "shade",
        "slot",
        "to_move",
        "where",
    )

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.at = [EMPTY] * len(NAMES)
        self.where = [NOWHERE] * PIECES
        self.rank = [""] * PIECES
        self.kind = [0] * PIECES
        self.shade: list[int | None] = [None] * FIRST[WHITE]
        self.entered = [False] * PIECES
        self.alive: list[list[int]] = [[], [], []]
        self.captured: list[int] = []
        self.deployed = ""
        self.slot = 0
        self.to_move = CYCLE[0]
        self.demand: Demand | None = None
        self.moves: list[str] = []
        self.ply = 0
        self.quiet_plies = 0
        self.result: Result | None = None
        for seat, setup in rules.setup.items():
            for number, (rank, square) in enumerate(setup):
                self.stand(FIRST[seat] + number, rank, PLACES[square])

    def stand(self, piece: int, rank: str, place: int) -> None:
        """Put a piece of a rank on the board."""
        self.rank[piece] = rank
        self.where[piece], self.at[place] = place, piece
        self.alive[seat_of(piece)].append(piece)
        self.entered[piece] = is_circle(place)
        if piece < FIRST[WHITE]:
            self.kind[piece] = KIND[Kind(besieger=False, rank=rank)]
            if rank == SOLDIER and not is_circle(place):
                self.bind(piece, SHADE[place])
        else:
            shade = SHADE[place] if rank in KEEP_COLOUR else None
            self.kind[piece] = KIND[Kind(besieger=True, rank=rank, shade=shade)]

    def bind(self, piece: int, shade: int) -> None:
        """Bind a garrison soldier to a colour for life (D15).

        The third of a colour leaves only the other colour to those that are still free (D14).
        """
        self.shade[piece] = shade
        self.kind[piece] = KIND[Kind(besieger=False, rank=SOLDIER, shade=shade)]
        if self.shade.count(shade) < PER_COLOUR:
            return
        other = KIND[Kind(besieger=False, rank=SOLDIER, shade=1 - shade)]
        for free in self.alive[GARRISON]:
            if self.rank[free] == SOLDIER and self.shade[free] is None:
                self.kind[free] = other

    def shift(self, piece: int, target: int) -> None:
        """Move a piece to a free place."""
        self.at[self.where[piece]] = EMPTY
        self.at[target], self.where[piece] = piece, target
        free = piece < FIRST[WHITE] and self.rank[piece] == SOLDIER and self.shade[piece] is None
        if free and not is_circle(target):
            self.bind(piece, SHADE[target])

    def remove(self, piece: int) -> None:
        """Take a besieger off the board."""
        self.at[self.where[piece]] = EMPTY
        self.where[piece] = NOWHERE
        self.alive[seat_of(piece)].remove(piece)
        self.captured.append(piece)

    def inside(self) -> tuple[int, int]:
        """Count the besieging soldiers and officers on circles (D5)."""
        ranks = [
            self.rank[piece]
            for piece in (self.at[place] for place in range(PLACES[CIRCLES[0]], len(NAMES)))
            if piece >= FIRST[WHITE]
        ]
        soldiers = ranks.count(SOLDIER)
        return soldiers, len(ranks) - soldiers

    def taken(self) -> tuple[int, int]:
        """Count the soldiers and officers that the garrison has captured (D23)."""
        soldiers = sum(self.rank[piece] == SOLDIER for piece in self.captured)
        return soldiers, len(self.captured) - soldiers


def copy(state: State) -> State:
    """Return an independent copy; rules, demand, result and the list of moves never change."""
    twin: State = State.__new__(State)
    twin.rules, twin.result, twin.demand = state.rules, state.result, state.demand
    twin.ply, twin.quiet_plies = state.ply, state.quiet_plies
    twin.slot, twin.to_move, twin.moves = state.slot, state.to_move, state.moves
    twin.deployed = state.deployed
    twin.at, twin.where = state.at[:], state.where[:]
    twin.rank, twin.kind = state.rank[:], state.kind[:]
    twin.shade, twin.entered = state.shade[:], state.entered[:]
    twin.alive = [pieces[:] for pieces in state.alive]
    twin.captured = state.captured[:]
    return twin
