"""Raider: takes whatever it may win, otherwise walks at the nearest enemy. No memory, no plan."""

from collections.abc import Sequence

from botkit import Bot, DuelView, Move, Piece, run

SURE = 100.0  # a capture that cannot fail
GAMBLE = 10.0  # an attack on a piece that nobody has seen
FOLLY = -100.0  # an attack that is known to fail
LAST_TO_GAMBLE = "S"  # ranks that are too precious or too weak to be thrown at the unknown
FRONT_FIRST = "2489M7653SBF"  # who stands in front, roughly: fighters ahead, treasures behind


class Raider(Bot[DuelView]):
    """Attack is the whole of its wisdom."""

    def deploy(self, view: DuelView) -> str:
        """Put fighters in front and the flag somewhere in the back row; the rest by chance."""
        back_to_front = sorted(
            view.roster,
            key=lambda rank: FRONT_FIRST.index(rank) + self.rng.uniform(0, 6),
            reverse=True,
        )
        back_to_front.remove("F")
        back_to_front.insert(self.rng.randrange(view.files), "F")
        return "".join(back_to_front)

    def act(self, view: DuelView, legal: Sequence[str]) -> str:
        """Play the action with the best score; chance decides between equals."""
        return max(legal, key=lambda action: self.score(view, Move.parse(action)))

    def score(self, view: DuelView, move: Move) -> float:
        """Say how good a move looks at first sight."""
        piece = view.by_square[move.origin]
        victim = view.by_square.get(move.target)
        luck = self.rng.random()
        if victim is None:
            return self.approach(view, move) + luck
        if not victim.rank:
            return self.gamble(view, piece, victim) + luck
        wins = view.fight(piece.rank, victim.rank)
        return (SURE if wins > 0 else FOLLY if wins < 0 else 0.0) + luck

    def gamble(self, view: DuelView, piece: Piece, victim: Piece) -> float:
        """Throw the middling pieces at the unknown; what moved cannot be a bomb."""
        if piece.rank in (LAST_TO_GAMBLE, view.top) and not victim.moved:
            return FOLLY / 2
        return GAMBLE + (2 if victim.moved else 0)

    def approach(self, view: DuelView, move: Move) -> float:
        """Count the steps that a move gains towards the nearest enemy worth walking to."""
        piece = view.by_square[move.origin]
        prey = [
            enemy.square
            for enemy in view.enemy
            if not enemy.rank or view.fight(piece.rank, enemy.rank) > 0
        ]
        if not prey:
            return -5.0
        gained = nearest(move.origin, prey) - nearest(move.target, prey)
        return gained - (3 if piece.rank == LAST_TO_GAMBLE else 0)


def nearest(square: str, others: Sequence[str]) -> int:
    """Count the steps to the nearest of some squares, as the crow flies along files and ranks."""
    x, y = ord(square[0]), int(square[1:])
    return min(abs(x - ord(other[0])) + abs(y - int(other[1:])) for other in others)


if __name__ == "__main__":
    run(Raider)
