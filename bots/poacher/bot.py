"""Poacher: takes only what it has seen and can beat, and runs from what it has seen and cannot."""

from collections.abc import Sequence

from botkit import Bot, DuelView, Move, Piece, run
from botkit.ranks import LADDER

PREY = "S2B34567F89M"  # what is worth taking, the least first; what it costs to lose as well
BEATERS = "24"  # ranks that flush out what has not moved: it may be a bomb
KEPT = "S3"  # ranks that attack nothing unseen, as does the highest
BORED_PLIES = 12  # without an attack for that long, all but these flush out anything
REAR_FIRST = "FB3S29M84567"  # how far back a rank likes to stand


class Poacher(Bot[DuelView]):
    """Uses what the view shows, without memory and without odds."""

    def deploy(self, view: DuelView) -> str:
        """Set up from the rear by taste, with a little chance."""
        return "".join(
            sorted(view.roster, key=lambda rank: REAR_FIRST.index(rank) + self.rng.uniform(0, 5))
        )

    def act(self, view: DuelView, legal: Sequence[str]) -> str:
        """Play the move that takes, saves or comes closest to the most."""
        return max(legal, key=lambda action: self.score(view, Move.parse(action)))

    def score(self, view: DuelView, move: Move) -> float:
        """Add the catch, the flight and the way of a move."""
        piece = view.by_square[move.origin]
        victim = view.by_square.get(move.target)
        luck = self.rng.random()
        flight = self.hunted(view, piece, move.origin) - self.hunted(view, piece, move.target)
        if victim is None:
            return luck + flight + self.way(view, piece, move)
        if not victim.rank:
            return luck + flight + (2.0 if self.looks(view, piece, victim) else -20.0)
        return luck + flight + view.fight(piece.rank, victim.rank) * (5.0 + PREY.index(victim.rank))

    def looks(self, view: DuelView, piece: Piece, unseen: Piece) -> bool:
        """Return whether a piece may attack something unseen."""
        if piece.rank in BEATERS:
            return True
        bold = unseen.moved or view.quiet_plies > BORED_PLIES
        return bold and piece.rank not in (*KEPT, view.top)

    def hunted(self, view: DuelView, piece: Piece, square: str) -> float:
        """Return what a piece of ours is worth if a seen enemy beside the square beats it."""
        beside = (view.by_square.get(near) for near in view.neighbours[square])
        known = (enemy.rank for enemy in beside if enemy and enemy.seat != self.seat)
        if any(rank in LADDER and view.fight(rank, piece.rank) > 0 for rank in known if rank):
            return 2.0 + PREY.index(piece.rank)
        return 0.0

    def way(self, view: DuelView, piece: Piece, move: Move) -> float:
        """Count the steps towards the nearest enemy that this piece would attack."""
        squares = [
            enemy.square
            for enemy in view.enemy
            if (
                view.fight(piece.rank, enemy.rank) > 0
                if enemy.rank
                else self.looks(view, piece, enemy)
            )
        ]
        if not squares:
            return -2.0
        return nearest(move.origin, squares) - nearest(move.target, squares)


def nearest(square: str, others: Sequence[str]) -> int:
    """Count the steps to the nearest of some squares, along files and ranks."""
    return min(
        abs(ord(square[0]) - ord(other[0])) + abs(int(square[1:]) - int(other[1:]))
        for other in others
    )


if __name__ == "__main__":
    run(Poacher)
