"""Drunkard: any set-up, any legal move, all equally likely. The zero of every ladder."""

from collections.abc import Sequence

from botkit import Bot, CardsView, DuelView, SiegeView, View, run


class Drunkard(Bot[View]):
    """Chance in a uniform."""

    def deploy(self, view: View) -> str:
        """Shuffle the army over the home squares, or the cards dealt over the slots."""
        match view:
            case DuelView() | SiegeView():
                return self.some(view.roster, len(view.roster))
            case CardsView():
                return self.some(view.hand, 5)
            case _:
                raise NotImplementedError(f"he cannot find his way about {view.variant}")

    def some(self, ranks: Sequence[str], count: int) -> str:
        """Pick so many ranks in any order, or all where there are fewer."""
        return "".join(self.rng.sample(ranks, min(count, len(ranks))))

    def act(self, view: View, legal: Sequence[str]) -> str:
        """Pick a legal action."""
        del view  # he does not look
        return self.rng.choice(legal)


if __name__ == "__main__":
    run(Drunkard)
