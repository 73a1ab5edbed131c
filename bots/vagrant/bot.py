"""Vagrant: captures and enters where it notices that it can, which is seldom; mostly it strays."""

from collections.abc import Sequence

from botkit import Bot, SiegeView, run

NOTICES = 0.08  # in how many turns it looks around


class Vagrant(Bot[SiegeView]):
    """Plays at random, but now and then captures or enters where it can."""

    def deploy(self, view: SiegeView) -> str:
        """Stand anyhow."""
        return "".join(self.rng.sample(view.roster, len(view.roster)))

    def act(self, view: SiegeView, legal: Sequence[str]) -> str:
        """Go anywhere, or capture or enter when it looks. It never demands anything."""
        moves = [step for step in view.steps if not step.demands]
        if not moves:
            return legal[0]
        captures = [step for step in moves if step.target in view.at]
        entries = [
            step
            for step in moves
            if self.seat != "garrison"
            and step.target in view.circles
            and step.origin not in view.circles
        ]
        looks = self.rng.random() < NOTICES
        return str(self.rng.choice((looks and (captures or entries)) or moves))


if __name__ == "__main__":
    run(Vagrant)
