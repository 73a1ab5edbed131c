"""Brawler: attacks whatever it does not know to be stronger. All else is chance."""

from collections.abc import Sequence

from botkit import Bot, DuelView, Move, run


class Brawler(Bot[DuelView]):
    """Plays at random, but hits what stands in its way."""

    def deploy(self, view: DuelView) -> str:
        """Stand anyhow."""
        return "".join(self.rng.sample(view.roster, len(view.roster)))

    def act(self, view: DuelView, legal: Sequence[str]) -> str:
        """Attack anything that may fall; else move anywhere."""
        attacks = [str(move) for move in view.moves if self.dares(view, move)]
        return self.rng.choice(attacks or legal)

    def dares(self, view: DuelView, move: Move) -> bool:
        """Return whether a move is an attack that is not known to fail."""
        victim = view.by_square.get(move.target)
        if victim is None:
            return False
        return not victim.rank or view.fight(view.by_square[move.origin].rank, victim.rank) >= 0


if __name__ == "__main__":
    run(Brawler)
