"""Avenger: strikes back at the card that attacked it last, if it can win. All else is chance."""

from collections.abc import Mapping, Sequence
from typing import Any

from botkit import Bot, CardsView, run


class Avenger(Bot[CardsView]):
    """Remembers one card: the last that attacked."""

    def begin(self) -> None:
        """Start without a grudge."""
        self.grudge = ""  # the id of the card that attacked last

    def hear(self, event: Mapping[str, Any]) -> None:
        """Remember who attacks."""
        if event["type"] == "fought" and event["seat"] != self.seat:
            self.grudge = event["attacker"]["id"]

    def deploy(self, view: CardsView) -> str:
        """Lay any cards."""
        return "".join(self.rng.sample(view.hand, min(5, len(view.hand))))

    def act(self, view: CardsView, legal: Sequence[str]) -> str:
        """Take revenge where it is sure, else do anything that does not lay the flag."""
        for play in view.plays:
            if play.kind == "x":
                own, target = view.own[play.slot], view.enemy[play.targets[0]]
                if target.id == self.grudge and view.fight(own.rank, target.rank) > 0:
                    return str(play)
        return self.rng.choice([action for action in legal if "F" not in action] or legal)


if __name__ == "__main__":
    run(Avenger)
