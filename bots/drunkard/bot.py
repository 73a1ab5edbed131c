"""Drunkard: any set-up, any legal move, all equally likely. The zero of every ladder."""

from collections.abc import Sequence

from botkit import Bot, DuelView, run


class Drunkard(Bot[DuelView]):
    """Chance in a uniform."""

    def deploy(self, view: DuelView) -> str:
        """Shuffle the army over the home squares."""
        self.rng.shuffle(view.roster)
        return "".join(view.roster)

    def act(self, view: DuelView, legal: Sequence[str]) -> str:
        """Pick a legal action."""
        del view  # he does not look
        return self.rng.choice(legal)


if __name__ == "__main__":
    run(Drunkard)
