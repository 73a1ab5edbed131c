"""Escort: besieges so that nothing can be captured, and does not leave its own gates to capture."""

from collections.abc import Sequence

from botkit import Bot, Field, SiegeView, Step, run

LOSS = 5.0  # a piece that could be captured after the move
CAPTURE = 5.0
THREAT = 1.0  # a capture that could be next
OPEN = 10.0  # a gate with nobody on it
ENTRY = 50.0


class Escort(Bot[SiegeView]):
    """Looks one move ahead at what can be captured."""

    def deploy(self, view: SiegeView) -> str:
        """Stand anyhow."""
        return "".join(self.rng.sample(view.roster, len(view.roster)))

    def act(self, view: SiegeView, legal: Sequence[str]) -> str:
        """Play the move with the best score; chance decides between equals."""
        field = view.field(self.options)
        score = self.keep if self.seat == "garrison" else self.convoy
        best, highest = legal[0], float("-inf")
        for step in view.steps:
            after = field.after(str(step))
            prey = len({victim.place for _, victim in after.captures()})
            worth = score(field, step, after, prey) + self.rng.random() - step.demands
            if worth > highest:
                best, highest = str(step), worth
        return best

    def keep(self, field: Field, step: Step, after: Field, prey: int) -> float:
        """Shut the gates, capture, and threaten to."""
        opened = sum(gate not in after.at for gate in field.terrain.gates)
        return CAPTURE * (step.target in field.at) + THREAT * prey - OPEN * opened

    def convoy(self, field: Field, step: Step, after: Field, prey: int) -> float:
        """Enter; else come nearer to a gate, with nothing to be captured on the way."""
        inside = len(after.inside()) - len(field.inside())
        rank = field.at[step.origin].rank
        ways = [field.terrain.steps_to(gate, rank) for gate in field.terrain.gates]
        saved = min(w.get(step.origin, 0) for w in ways) - min(w.get(step.target, 0) for w in ways)
        return ENTRY * inside + saved - LOSS * prey


if __name__ == "__main__":
    run(Escort)
