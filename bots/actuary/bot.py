"""Actuary: deals what it cannot see and asks in every world what each action is worth."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sides import SLOTS, Side, dealt
from trials import Trials
from worth import Worth

from botkit import Bot, CardsView, Play, run
from botkit.worlds import Knowledge

WORLDS = 40  # more do not make it stronger
MIXES = 6  # how often the cards are mixed to judge the flag trick
PATIENCE = 10  # turns without a fight after which an attack is due that is better than a draw
DRAW = 0.5


class Actuary(Bot[CardsView]):
    """Values every action in sampled worlds."""

    def begin(self) -> None:
        """Open the tables."""
        self.worth = Worth()
        self.knowledge: Knowledge | None = None

    def hear(self, event: Mapping[str, Any]) -> None:
        """Take in what happens."""
        if self.knowledge is not None:
            self.knowledge.hear(event)

    def deploy(self, view: CardsView) -> str:
        """Choose the line that is worth most."""
        if self.knowledge is None:
            self.knowledge = Knowledge(view, self.options)
            worlds = [self.before_set_up(view) for _ in range(WORLDS)]
        else:
            worlds = self.deals(view, self.knowledge)
        line = [*Trials(self.worth, own_side(view), worlds).best_filling()[1]]
        self.rng.shuffle(line)
        return "".join(line)

    def act(self, view: CardsView, legal: Sequence[str]) -> str:
        """Play what is worth most, on the mean of all worlds."""
        if len(legal) == 1 or self.knowledge is None:
            return legal[0]
        trials = Trials(self.worth, own_side(view), self.deals(view, self.knowledge))
        if view.phase == "fill":
            _, best = trials.best_filling()
            return self.rng.choice([action for action in legal if ranks_of(action) == best])
        values = {action: self.value(trials, action) for action in legal}
        attacks = [action for action in legal if "x" in action]
        if view.quiet_turns > PATIENCE and any(values[attack] > DRAW for attack in attacks):
            legal = attacks
        return max(legal, key=values.__getitem__)

    def value(self, trials: Trials, action: str) -> float:
        """Return our chance to win by an action."""
        if action == "stop":
            return trials.best_filling()[0]
        slot, kind, targets = Play.parse(action)
        if kind == "x":
            return trials.attack(slot - 1, targets[0] - 1)
        if kind == "f":
            return self.trick(trials)
        return trials.look(slot - 1, [target - 1 for target in targets])

    def trick(self, trials: Trials) -> float:
        """Return our chance to win if we mix our cards and begin anew."""
        cards = [rank for _, rank in trials.own.cards()]
        worlds = [world for world, _ in trials.worlds[:MIXES]]
        total = 0.0
        for _ in range(MIXES):
            self.rng.shuffle(cards)
            total += Trials(self.worth, dealt(cards), worlds).best_filling()[0]
        return total / MIXES

    def before_set_up(self, view: CardsView) -> Side:
        """Deal the enemy's cards before anything is known of them, and lay some."""
        cards = [*Counter(view.deck).elements()]
        self.rng.shuffle(cards)
        side = dealt(cards)
        side.line, side.hand = side.hand[:SLOTS], side.hand[SLOTS:]
        side.hide_flag(self.rng)
        return side

    def deals(self, view: CardsView, knowledge: Knowledge) -> list[Side]:
        """Deal the enemy's cards by all that is known."""
        sides = []
        for _ in range(WORLDS):
            shown = knowledge.sample_world(self.rng).view("full")["seats"][view.other]
            line = [card["rank"] if card else "" for card in shown["line"]]
            known = [bool(card) and (card["revealed"] or card["seen"]) for card in shown["line"]]
            sides.append(Side(line, known, shown["hand"], shown["pile_order"]))
            sides[-1].hide_flag(self.rng)
        return sides


def own_side(view: CardsView) -> Side:
    """Return our own cards as a view shows them."""
    side = Side([""] * SLOTS, [False] * SLOTS, view.hand, [*Counter(view.drawable).elements()])
    for slot, card in view.own.items():
        side.line[slot - 1], side.known[slot - 1] = card.rank, card.revealed or card.seen
    return side


def ranks_of(filling: str) -> tuple[str, ...]:
    """Return what a filling lays, in order."""
    return tuple(sorted(part[2] for part in filling.split(",")))


if __name__ == "__main__":
    run(Actuary)
