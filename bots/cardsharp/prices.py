"""What an action is expected to bring by the next turn: odds of backs, and the worth of cards."""

from collections.abc import Mapping, Sequence

from table import WORTH

from botkit import Card, CardsView, Play

Odds = Mapping[str, float]  # rank -> chance

VICTORY = 60.0  # what it is worth to end the game by a line without attackers
KNOWN = 0.25  # share of a card's worth that is lost when the enemy gets to know it
FLAG_IN_LINE = 0.4  # how likely a flag lies in a line, against any other card
LOOK = 0.35  # share of what a look may find that it is worth
HAND = 4.0  # worth of one card of the hand to a spy that looks
IDLE = 1.5  # what an action without a fight costs
HINT = 0.2  # share of a card's worth that it brings to know it by losing to it
EXPOSED = 18.0  # what it costs to risk the last card in line that can attack
SEEN_FLAG = 25.0  # worth of the flag trick when the enemy knows where the flag lies


class Prices:
    """The expected gains of one view. `notes` says for cards, by id, among which ranks they are."""

    def __init__(self, view: CardsView, notes: Mapping[str, Sequence[str]]) -> None:
        self.view = view
        self.notes = notes
        self.odds = {slot: self._odds(card) for slot, card in view.enemy.items()}
        attackers = sum(card.rank not in "FB" for card in view.own.values())
        self.bare = attackers <= 1 and all(rank in "FB" for rank in view.hand)

    def gain(self, action: str) -> float:
        """Expect what an action brings."""
        if action == "stop":
            return 0.0
        play = Play.parse(action)
        if play.kind == "x":
            return self._attack(play)
        if play.kind == "f":  # mixes everything: good where the enemy knows most of the line
            known = [card.rank for card in self.view.own.values() if card.revealed or card.seen]
            return SEEN_FLAG if "F" in known else 2.0 * len(known) - 6.0
        return self._look(play)

    def _odds(self, card: Card) -> Odds:
        """Give the chance of each rank for a card of the enemy's line."""
        if card.rank:
            return {card.rank: 1.0}
        among = self.notes.get(card.id)
        left = {rank: float(count) for rank, count in self.view.hidden.items() if count > 0}
        weight = {rank: count for rank, count in left.items() if among and rank in among} or left
        if "F" in weight:
            weight["F"] *= FLAG_IN_LINE
        total = sum(weight.values())
        return {rank: part / total for rank, part in weight.items()}

    def _attack(self, play: Play) -> float:
        """Expect the worth won less the worth lost, and what an end of the game is worth."""
        own, (target,) = self.view.own[play.slot], play.targets
        hint = 0.0 if self.view.enemy[target].rank else HINT
        total = -EXPOSED if self.bare and own.rank != "M" else 0.0
        if not own.revealed:
            total -= KNOWN * WORTH[own.rank]
        for rank, chance in self.odds[target].items():
            end = self.view.fight(own.rank, rank)
            total += chance * (WORTH[rank] if end >= 0 else hint * WORTH[rank])
            total -= chance * (WORTH[own.rank] if end <= 0 else 0.0)
            if end >= 0 and rank != "F":
                total += chance * VICTORY * self._stuck(target)
        return total

    def _stuck(self, without: int) -> float:
        """Give the chance that the line has only bombs and the flag once one card is gone."""
        chance = 1.0
        for slot, ranks in self.odds.items():
            if slot != without:
                chance *= ranks.get("F", 0.0) + ranks.get("B", 0.0)
        return chance

    def _look(self, play: Play) -> float:
        """Expect more of a look the less is known where it goes."""
        own = self.view.own[play.slot]
        learnt = HAND * self.view.enemy_hand.count("") if play.kind == "s" else 0.0
        for slot in play.targets:
            if not self.view.enemy[slot].rank:
                learnt += sum(chance * WORTH[rank] for rank, chance in self.odds[slot].items())
        shown = 0.0 if own.revealed else KNOWN * WORTH[own.rank]
        return LOOK * learnt - IDLE - shown
