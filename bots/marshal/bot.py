"""Marshal: a walled-in flag, scouts that probe, attacks only where odds and exits are good."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from beliefs import Beliefs
from fields import Field, fields
from formations import choose
from worth import Worth

from botkit import Bot, DuelView, Move, Piece, run

HASTE = 0.6  # weight of coming closer to a target against winning material now
STALE = 3.0  # what it costs to repeat one of the last moves
RECENT_MOVES = 12


class Marshal(Bot[DuelView]):
    """Looks one exchange ahead for every move, and walks towards what is worth attacking."""

    def begin(self) -> None:
        """Open a notebook."""
        self.beliefs = Beliefs()
        self.recent: deque[tuple[str, str]] = deque(maxlen=RECENT_MOVES)

    def deploy(self, view: DuelView) -> str:
        """Take a set-up from the book."""
        return choose(view, self.rng)

    def hear(self, event: Mapping[str, Any]) -> None:
        """Write it down."""
        self.beliefs.hear(event)

    def act(self, view: DuelView, legal: Sequence[str]) -> str:
        """Play the move that leaves us best off after the enemy's best known reply."""
        worth = Worth(view, self.beliefs.update(view))
        moves = [Move.parse(action) for action in legal]
        movers = {view.by_square[move.origin].id: view.by_square[move.origin] for move in moves}
        pulls = fields(view, worth, movers.values())
        threats = self.threats(view, worth)
        best = max(moves, key=lambda move: self.score(view, worth, pulls, threats, move))
        self.recent.append((view.by_square[best.origin].id, best.target))
        self.beliefs.remember(view, best.origin)
        return str(best)

    def threats(self, view: DuelView, worth: Worth) -> list[tuple[float, Piece]]:
        """List what our pieces stand to lose where they are, the worst first."""
        at_risk = [
            (worth.danger(piece, piece.square, gone=None, shown=piece.revealed), piece)
            for piece in view.own
        ]
        return sorted(
            ((loss, piece) for loss, piece in at_risk if loss > 0), key=lambda risk: -risk[0]
        )

    def score(
        self,
        view: DuelView,
        worth: Worth,
        pulls: Mapping[str, Field],
        threats: Sequence[tuple[float, Piece]],
        move: Move,
    ) -> float:
        """Add what the move wins and what it comes closer to; take off the enemy's best reply."""
        piece = view.by_square[move.origin]
        victim = view.by_square.get(move.target)
        score = self.rng.random() * 0.1
        if victim is not None:
            score += worth.gain(piece, victim)
        else:
            pull = pulls[piece.id]
            score += HASTE * (pull.get(move.target, 0.0) - pull.get(move.origin, 0.0))
            score -= STALE * self.recent.count((piece.id, move.target))
        return score - self.reply(worth, threats, piece, victim, move.target)

    def reply(
        self,
        worth: Worth,
        threats: Sequence[tuple[float, Piece]],
        piece: Piece,
        victim: Piece | None,
        target: str,
    ) -> float:
        """Expect what the enemy's best capture costs us after a move."""
        exposed = worth.danger(
            piece, target, gone=victim, shown=piece.revealed or victim is not None
        )
        for loss, other in threats:
            if other is piece:
                continue
            left = (
                loss
                if victim is None
                else worth.danger(other, other.square, gone=victim, shown=other.revealed)
            )
            return max(exposed, left)
        return exposed


if __name__ == "__main__":
    run(Marshal)
