"""A bot for `siege` to start from: it keeps its gates, or runs at them where it is safe."""

from collections.abc import Sequence

from botkit import Bot, Field, SiegeView, Step, run

FAR = 99


class Starter(Bot[SiegeView]):
    """Change its numbers, then its mind."""

    def deploy(self, view: SiegeView) -> str:
        """Return a code for each of the circles N NE E SE S SW W NW."""
        return "".join(sorted(view.roster, key=lambda _: self.rng.random()))

    def act(self, view: SiegeView, legal: Sequence[str]) -> str:
        """Play the move with the best score; a pass is the only choice where it is one."""
        if len(legal) == 1:
            return legal[0]
        field = view.field(self.options)
        score = self.keep if self.seat == "garrison" else self.storm
        return max(legal, key=lambda action: score(field, Step.parse(action)))

    def keep(self, field: Field, step: Step) -> float:
        """Capture, but rather not with the piece that stands on a gate."""
        score = self.rng.random()
        if step.target in field.at:
            score += 10
        if step.origin in field.terrain.gates:
            score -= 5
        if step.target in field.terrain.gates:
            score += 4
        return score

    def storm(self, field: Field, step: Step) -> float:
        """Enter the fort; else come nearer to a gate without leaving anything to be captured."""
        rank = field.at[step.origin].rank
        score = self.rng.random() - step.demands
        if step.target in field.circles:
            return score + (20 if step.origin not in field.circles else 0)
        for gate in field.terrain.gates:
            steps = field.terrain.steps_to(gate, rank)
            score += (steps.get(step.origin, FAR) - steps.get(step.target, FAR)) / 2
        return score - 5 * len(field.after(str(step)).captures())


if __name__ == "__main__":
    run(Starter)
