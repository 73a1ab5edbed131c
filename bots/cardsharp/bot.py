"""Cardsharp: prices every action, then deals what it cannot see and plays the dearest ones out."""

from collections.abc import Mapping, Sequence
from typing import Any

from deals import Dealer
from prices import Prices
from table import Table, laid_late

from botkit import Bot, CardsView, Play, run

CHOICES = 5  # the best actions by price are played out
DEALS = 60  # on so many tables, the same for every choice
STAKE = 12.0  # what a game that is won in a playout is worth against prices
SLOTS = 5


class Cardsharp(Bot[CardsView]):
    """He counts like a bookkeeper and imagines the rest."""

    def begin(self) -> None:
        """Start with a clean page."""
        self.seen_hand: list[str] = []  # the enemy's hand as a spy saw it, until it is laid from
        self.notes: dict[str, list[str]] = {}  # card id -> the ranks among which it is

    def hear(self, event: Mapping[str, Any]) -> None:
        """Write down what came out of a hand that a spy has seen."""
        if event.get("seat") == self.seat:
            if event["type"] == "peeked":
                self.seen_hand = event["ranks"]
        elif event["type"] in ("filled", "drew", "redealt"):
            if event["type"] == "filled" and self.seen_hand:
                self.notes.update(dict.fromkeys(event["cards"], self.seen_hand))
            self.seen_hand = []

    def deploy(self, view: CardsView) -> str:
        """Choose a line of mixed strength with a bomb in it, the flag in the hand."""
        ranks = list(view.hand)
        line: list[str] = []
        while ranks and len(line) < SLOTS:
            line.append(min(ranks, key=lambda rank: laid_late(line, rank, self.rng)))
            ranks.remove(line[-1])
        self.rng.shuffle(line)
        return "".join(line)

    def act(self, view: CardsView, legal: Sequence[str]) -> str:
        """Play the action that is worth most by price and by playouts together."""
        if view.phase == "fill":
            return max(legal, key=lambda action: self.order(view, action))
        prices = Prices(view, self.notes)
        worth = {action: prices.gain(action) + self.rng.random() * 0.1 for action in legal}
        best = sorted(legal, key=worth.__getitem__, reverse=True)[:CHOICES]
        if len(best) == 1 or view.phase == "chain":
            return best[0]
        dealer = Dealer(view, self.notes, self.rng)
        for _ in range(DEALS):
            table = dealer.deal()
            for action in best:
                worth[action] += STAKE / DEALS * self.outcome(table.copy(), Play.parse(action))
        return max(best, key=worth.__getitem__)

    def order(self, view: CardsView, action: str) -> float:
        """Judge a filling by the cards that it lays."""
        line = [card.rank for card in view.own.values()]
        score = 0.0
        for part in action.split(","):
            score -= laid_late(line, part[2], self.rng)
            line.append(part[2])
        return score

    def outcome(self, table: Table, play: Play) -> float:
        """Play an action on a table, then the rest of the game; give our points."""
        if play.kind == "x":
            if table.attack(0, play.slot - 1, play.targets[0] - 1):
                return 1.0
        else:
            table.known[0][play.slot - 1] = True
            for slot in play.targets:
                table.known[1][slot - 1] = True
        if play.kind == "f":
            table.trick(0, self.rng)
        table.fill(0, self.rng)
        return table.playout(1, self.rng)


if __name__ == "__main__":
    run(Cardsharp)
