"""Vagrant: captures and enters where it happens to be able to; otherwise it strays."""

from collections.abc import Sequence

from botkit import Bot, SiegeView, run


class Vagrant(Bot[SiegeView]):
    """Plays at random, but captures and enters where it can."""

    def deploy(self, view: SiegeView) -> str:
        """Stand anyhow."""
        return "".join(self.rng.sample(view.roster, len(view.roster)))

    def act(self, view: SiegeView, legal: Sequence[str]) -> str:
        """Capture or enter; else go anywhere. It never demands anything."""
        moves = [step for step in view.steps if not step.demands]
        captures = [step for step in moves if step.target in view.at]
        entries = [
            step
            for step in moves
            if self.seat != "garrison"
            and step.target in view.circles
            and step.origin not in view.circles
        ]
        chosen = captures or entries or moves
        return str(self.rng.choice(chosen)) if chosen else legal[0]


if __name__ == "__main__":
    run(Vagrant)
