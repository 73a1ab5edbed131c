"""Gambler: the strongest cards to the front and at the unknown. No memory, no counting."""

from collections.abc import Sequence

from botkit import Bot, CardsView, Play, run

SURE = 100.0  # an attack that cannot fail
GAMBLE = 10.0  # an attack on a card that nobody has seen
CURIOUS = 5.0  # a look, where nothing better offers
FOLLY = -100.0  # an attack that is known to fail, and giving up the line
EAGER = "FBS23456789M"  # who goes to the front, the least eager first


class Gambler(Bot[CardsView]):
    """Fortune favours the bold, he says."""

    def deploy(self, view: CardsView) -> str:
        """Put the strongest five into the line, roughly, in any order."""
        by_rank = sorted(view.hand, key=lambda rank: EAGER.index(rank) + self.rng.uniform(0, 4))
        line = by_rank[-5:]
        self.rng.shuffle(line)
        return "".join(line)

    def act(self, view: CardsView, legal: Sequence[str]) -> str:
        """Play the action with the best score; chance decides between equals."""
        if view.phase == "fill":
            return max(legal, key=lambda action: sum(map(EAGER.find, action)))
        return max(legal, key=lambda action: self.score(view, action))

    def score(self, view: CardsView, action: str) -> float:
        """Say how good an action looks at first sight."""
        luck = self.rng.random()
        if action == "stop":
            return luck
        play = Play.parse(action)
        if play.kind == "f":
            return FOLLY
        if play.kind != "x":
            return CURIOUS + luck
        own, target = view.own[play.slot], view.enemy[play.targets[0]]
        if not target.rank:
            return GAMBLE + EAGER.index(own.rank) + luck
        return view.fight(own.rank, target.rank) * SURE + luck


if __name__ == "__main__":
    run(Gambler)
