"""Drunkard: any set-up, any legal move, all equally likely. The zero of every ladder."""

from collections.abc import Sequence

from botkit import Bot, View, run


class Drunkard(Bot):
    """Chance in a uniform."""

    def deploy(self, view: View) -> str:
        """Shuffle the army over the home squares."""
        self.rng.shuffle(view.roster)
        return "".join(view.roster)

    def act(self, view: View, legal: Sequence[str]) -> str:
        """Pick a legal action."""
        del view  # he does not look
        return self.rng.choice(legal)


if __name__ == "__main__":
    run(Drunkard)
