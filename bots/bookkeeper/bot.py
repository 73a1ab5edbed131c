"""Bookkeeper: counts the cards, weighs every fight by the odds, and keeps its flag in its hand."""

from collections.abc import Mapping, Sequence
from typing import Any

from botkit import Bot, Card, CardsView, Play, run

Odds = Mapping[str, float]  # rank -> chance

WORTH = {
    "F": 60.0, "B": 7.0, "S": 6.0, "2": 3.0, "3": 6.0, "4": 5.0,
    "5": 7.0, "6": 9.0, "7": 12.0, "8": 15.0, "9": 19.0, "M": 24.0,
}  # fmt: skip
VICTORY = 60.0  # what it is worth to end the game by a line without attackers
KNOWN = 0.25  # share of a card's worth that is lost when the enemy gets to know it
FLAG_IN_LINE = 0.4  # how likely a flag lies in a line, against any other card
LOOK = 0.16  # share of what a look may find that it is worth
IDLE = 1.5  # what an action without a fight costs
SLOTS = 5
WANTED = 3  # cards in line that can attack
PLACE = "4526738S9M3"  # who is laid first where nothing else decides


class Bookkeeper(Bot[CardsView]):
    """Everything has its price."""

    def begin(self) -> None:
        """Start with a clean page."""
        self.seen_hand: list[str] = []  # the enemy's hand as a spy saw it, until it is laid from
        self.notes: dict[str, list[str]] = {}  # card id -> the ranks among which it is

    def hear(self, event: Mapping[str, Any]) -> None:
        """Write down what came out of a hand that a spy has seen."""
        if event.get("seat") == self.seat:
            if event["type"] == "peeked":
                self.seen_hand = event["ranks"]
        elif event["type"] == "filled":
            if self.seen_hand:
                self.notes.update(dict.fromkeys(event["cards"], self.seen_hand))
            self.seen_hand = []
        elif event["type"] in ("drew", "redealt"):
            self.seen_hand = []

    def deploy(self, view: CardsView) -> str:
        """Choose a line of mixed strength with a bomb in it, the flag in the hand."""
        ranks = list(view.hand)
        line: list[str] = []
        while ranks and len(line) < SLOTS:
            line.append(min(ranks, key=lambda rank: self.laid_late(line, rank)))
            ranks.remove(line[-1])
        self.rng.shuffle(line)
        return "".join(line)

    def laid_late(self, line: Sequence[str], rank: str) -> float:
        """Say how late a rank should be laid into a line: the flag at the very last."""
        attackers = sum(laid not in "FB" for laid in line)
        if rank == "F":
            return 1000.0
        if rank == "B":
            return -1.0 if "B" not in line and attackers >= WANTED else 500.0
        return PLACE.index(rank) + 6 * line.count(rank) + self.rng.uniform(0, 5)

    def act(self, view: CardsView, legal: Sequence[str]) -> str:
        """Play the action with the highest expected gain."""
        if view.phase == "fill":
            return max(legal, key=lambda action: self.order(view, action))
        odds = {slot: self.odds(view, card) for slot, card in view.enemy.items()}
        return max(legal, key=lambda action: self.gain(view, odds, action))

    def order(self, view: CardsView, action: str) -> float:
        """Judge a filling by the cards that it lays."""
        line = [card.rank for card in view.own.values()]
        score = 0.0
        for part in action.split(","):
            score -= self.laid_late(line, part[2])
            line.append(part[2])
        return score

    def odds(self, view: CardsView, card: Card) -> Odds:
        """Give the chance of each rank for a card of the enemy's line."""
        if card.rank:
            return {card.rank: 1.0}
        left = view.hidden
        among = self.notes.get(card.id)
        weight = {
            rank: float(count)
            for rank, count in left.items()
            if count > 0 and (not among or rank in among)
        } or {rank: float(count) for rank, count in left.items() if count > 0}
        if "F" in weight:
            weight["F"] *= FLAG_IN_LINE
        total = sum(weight.values())
        return {rank: part / total for rank, part in weight.items()}

    def gain(self, view: CardsView, odds: Mapping[int, Odds], action: str) -> float:
        """Expect what an action brings."""
        luck = self.rng.random() * 0.1
        if action == "stop":
            return luck
        play = Play.parse(action)
        if play.kind == "x":
            return self.attack(view, odds, play) + luck
        if play.kind == "f":
            return self.trick(view) + luck
        return self.look(view, odds, play) + luck

    def attack(self, view: CardsView, odds: Mapping[int, Odds], play: Play) -> float:
        """Expect the worth won less the worth lost, and what an end of the game is worth."""
        own, (target,) = view.own[play.slot], play.targets
        total = 0.0
        for rank, chance in odds[target].items():
            end = view.fight(own.rank, rank)
            won = WORTH[rank] if end >= 0 else (0.0 if view.enemy[target].rank else WORTH[rank] / 5)
            lost = WORTH[own.rank] if end <= 0 else 0.0
            total += chance * (won - lost)
            if end >= 0 and rank != "F":
                total += chance * VICTORY * stuck(odds, target)
        if not own.revealed:
            total -= KNOWN * WORTH[own.rank]
        return total - VICTORY * self.exposed(view, own)

    def exposed(self, view: CardsView, own: Card) -> float:
        """Say how bare the line would be without the attacker: the last but one is precious."""
        attackers = sum(card.rank not in "FB" for card in view.own.values())
        spare = sum(rank not in "FB" for rank in view.hand)
        bare = attackers <= 1 and spare == 0
        return 0.3 if bare and own.rank != "M" else 0.0

    def trick(self, view: CardsView) -> float:
        """Mix everything where the enemy knows most of the line; else the flag had better wait."""
        known = sum(card.revealed or card.seen for card in view.own.values())
        flag_seen = any(
            card.rank == "F" and (card.revealed or card.seen) for card in view.own.values()
        )
        return 25.0 if flag_seen else 2.0 * known - 6.0

    def look(self, view: CardsView, odds: Mapping[int, Odds], play: Play) -> float:
        """Expect more of a look the less is known where it goes."""
        learnt = 0.0
        for slot in play.targets:
            if not view.enemy[slot].rank:
                learnt += sum(chance * WORTH[rank] for rank, chance in odds[slot].items())
        if play.kind == "s":
            learnt = 4.0 * view.enemy_hand.count("")
        hidden = KNOWN * WORTH[view.own[play.slot].rank] * (not view.own[play.slot].revealed)
        return LOOK * learnt - IDLE - hidden


def stuck(odds: Mapping[int, Odds], without: int) -> float:
    """Give the chance that a line has only bombs and the flag once one of its cards is gone."""
    chance = 1.0
    for slot, ranks in odds.items():
        if slot != without:
            chance *= ranks.get("F", 0.0) + ranks.get("B", 0.0)
    return chance


if __name__ == "__main__":
    run(Bookkeeper)
