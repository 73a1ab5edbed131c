"""Forager: takes what it can get, runs at what it cannot. It guards nothing."""

from collections.abc import Sequence

from botkit import Bot, SiegeView, Step, run

CAPTURE = 100.0
ENTRY = 100.0


class Forager(Bot[SiegeView]):
    """Hunger in a uniform."""

    def deploy(self, view: SiegeView) -> str:
        """Stand anyhow."""
        return "".join(self.rng.sample(view.roster, len(view.roster)))

    def act(self, view: SiegeView, legal: Sequence[str]) -> str:
        """Play the move with the best score; chance decides between equals."""
        moves = [action for action in legal if "!" not in action and action != "pass"]
        score = self.hunt if self.seat == "garrison" else self.storm
        best = max(moves, key=lambda move: score(view, Step.parse(move)), default=legal[0])
        return best if self.seat == "garrison" else self.luring(view, best, legal)

    def hunt(self, view: SiegeView, step: Step) -> float:
        """Capture; else come nearer to the nearest besieger."""
        if step.target in view.at:
            return CAPTURE + self.rng.random()
        if step.target in view.circles:
            return self.rng.random()
        prey = [piece.place for piece in view.besiegers if piece.place not in view.circles]
        if step.origin in view.circles or not prey:
            return 1 + self.rng.random()
        return nearest(step.origin, prey) - nearest(step.target, prey) + self.rng.random()

    def luring(self, view: SiegeView, move: str, legal: Sequence[str]) -> str:
        """Demand a capture with a move that ends before a gate, for its guard to come out."""
        before = [square for squares in view.gates.values() for square in squares]
        demands = [action for action in legal if action.startswith(f"{move}!")]
        return demands[0] if demands and Step.parse(move).target in before else move

    def storm(self, view: SiegeView, step: Step) -> float:
        """Enter the fort; else save moves on the way to the nearest gate."""
        piece = view.at[step.origin]
        if step.target in view.circles:
            fresh = step.origin not in view.circles
            return (ENTRY if fresh else 0.0) + self.rng.random()
        terrain = view.field(self.options).terrain
        far = [terrain.steps_to(gate, piece.rank) for gate in view.gates]
        saved = max(steps.get(step.origin, 0) - steps.get(step.target, 0) for steps in far)
        return saved + self.rng.random()


def nearest(square: str, others: Sequence[str]) -> int:
    """Count the steps of a general to the nearest of some squares."""
    x, y = ord(square[0]), int(square[1:])
    return min(max(abs(x - ord(other[0])), abs(y - int(other[1:]))) for other in others)


if __name__ == "__main__":
    run(Forager)
