"""A bot for `cards` to start from: it hides its flag, takes what it can, and is curious."""

from collections.abc import Sequence

from botkit import Bot, CardsView, Play, filling, run

FIRST = "456789M23SBF"  # who goes into the line first


class Starter(Bot[CardsView]):
    """Change its numbers, then its mind."""

    def deploy(self, view: CardsView) -> str:
        """Choose five of the eight cards dealt, or all where there are fewer."""
        return "".join(sorted(view.hand, key=FIRST.index)[:5])

    def act(self, view: CardsView, legal: Sequence[str]) -> str:
        """Fill gaps from the hand, else play the action with the best score."""
        if view.phase == "fill" and len(view.gaps) <= len(view.hand):
            best = sorted(view.hand, key=FIRST.index)
            return filling(dict(zip(view.gaps, best, strict=False)))
        return max(legal, key=lambda action: self.score(view, action))

    def score(self, view: CardsView, action: str) -> float:
        """Return how good an action looks."""
        luck = self.rng.random()
        if view.phase == "fill" or action == "stop":
            return luck
        play = Play.parse(action)
        if play.kind != "x":
            return luck - (5 if play.kind == "f" else 0)
        own, target = view.own[play.slot], view.enemy[play.targets[0]]
        if not target.rank:
            return luck + FIRST.index(own.rank) / 4
        return luck + 10 * view.fight(own.rank, target.rank)


if __name__ == "__main__":
    run(Starter)
