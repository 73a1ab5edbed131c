"""Ensign: keeps the flag in its hand while other cards can be laid. All else is chance."""

from collections.abc import Sequence

from botkit import Bot, CardsView, run


class Ensign(Bot[CardsView]):
    """Plays at random, but holds its flag back."""

    def deploy(self, view: CardsView) -> str:
        """Lay any cards."""
        return "".join(self.rng.sample(view.hand, min(5, len(view.hand))))

    def act(self, view: CardsView, legal: Sequence[str]) -> str:
        """Play anything that does not lay the flag."""
        del view  # it does not look
        return self.rng.choice([action for action in legal if "F" not in action] or legal)


if __name__ == "__main__":
    run(Ensign)
