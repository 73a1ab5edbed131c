"""Lookout: as a besieger it sees what could be captured after its move, and nothing else."""

from collections.abc import Sequence

from botkit import Bot, SiegeView, Step, run

CAPTURE = 10.0
ENTRY = 10.0


class Lookout(Bot[SiegeView]):
    """Offers as little as possible."""

    def deploy(self, view: SiegeView) -> str:
        """Put the officers on the first circles."""
        return "".join(sorted(view.roster))

    def act(self, view: SiegeView, legal: Sequence[str]) -> str:
        """Play the move with the best score; chance decides between equals."""
        silent = [step for step in view.steps if not step.demands]
        scores = {str(step): self.score(view, step) + self.rng.random() for step in silent}
        return max(scores, key=scores.__getitem__, default=legal[0])

    def score(self, view: SiegeView, step: Step) -> float:
        """Capture, or enter, or offer as little as possible."""
        if self.seat == "garrison":
            return CAPTURE * (step.target in view.at)
        after = view.field(self.options).after(str(step))
        enters = step.target in view.circles and step.origin not in view.circles
        return ENTRY * enters - len({victim for _, victim in after.captures()})


if __name__ == "__main__":
    run(Lookout)
