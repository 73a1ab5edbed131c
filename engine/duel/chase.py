"""The chase rule of the International Stratego Federation, an option.

One may not chase pieces of the opponent endlessly: a chasing move must not lead back to a position
that the chase has already had, except straight back to where the chaser came from. Pieces threaten
by standing next to an enemy, whatever their ranks, so the rule depends on nothing hidden.
"""

from dataclasses import dataclass, field

Position = tuple[int, ...]  # the square of every piece


@dataclass(slots=True)
class Hunt:
    """One seat as a chaser; a capture ends a chase by itself, as no position before it comes again.

    `threatened` are the pieces beside the chaser's last move. `quarry` is the one of them that the
    opponent's last move took away, so it tells something on the chaser's own turn only.
    """

    positions: set[Position] = field(default_factory=set)
    threatened: frozenset[int] = frozenset()
    quarry: int | None = None

    def copy(self) -> "Hunt":
        """Return an independent copy."""
        return Hunt(set(self.positions), self.threatened, self.quarry)

    def note_own_move(self, position: Position, threatens: frozenset[int]) -> None:
        """Take in a move of the chaser; the chase goes on only if it follows the quarry."""
        if self.quarry not in threatens:
            self.positions.clear()
        self.positions.add(position)
        self.threatened = threatens

    def note_reply(self, piece: int) -> None:
        """Take in the opponent's move of a piece: an evasion keeps the chase alive."""
        self.quarry = piece if piece in self.threatened else None
