"""Watchman: shuts its gates and walks in company, but nods off now and then."""

from collections.abc import Sequence

from botkit import Bot, SiegeView, Step, run

NOD = 0.04  # how often it does not look


class Watchman(Bot[SiegeView]):
    """Plays with care most of the time."""

    def deploy(self, view: SiegeView) -> str:
        """Stand anyhow."""
        return "".join(self.rng.sample(view.roster, len(view.roster)))

    def act(self, view: SiegeView, legal: Sequence[str]) -> str:
        """Choose by chance among the moves that are good enough, or among all."""
        silent = [step for step in view.steps if not step.demands]
        if self.rng.random() < NOD:
            return self.rng.choice(legal)
        wanted = watchful(view, silent) if self.seat == "garrison" else self.advancing(view, silent)
        return str(self.rng.choice(wanted or silent)) if silent else legal[0]

    def advancing(self, view: SiegeView, steps: Sequence[Step]) -> Sequence[Step]:
        """Find the moves into the fort, or else towards it, in company where that can be."""
        entries = [s for s in steps if s.target in view.circles and s.origin not in view.circles]
        outside = [
            s for s in steps if s.origin not in view.circles and s.target not in view.circles
        ]
        nearer = [s for s in outside if away(view, s.target) < away(view, s.origin)]
        field = view.field(self.options)
        guarded = [s for s in nearer if field.after(str(s)).guarded(s.target)]
        return entries or guarded or nearer


def watchful(view: SiegeView, steps: Sequence[Step]) -> Sequence[Step]:
    """Find the moves that leave the fewest gates open, captures among them where there are."""

    def left_open(step: Step) -> int:
        return sum(
            gate == step.origin or (gate not in view.at and gate != step.target)
            for gate in view.gates
        )

    fewest = min(map(left_open, steps), default=0)
    shut = [step for step in steps if left_open(step) == fewest]
    return [step for step in shut if step.target in view.at] or shut


def away(view: SiegeView, place: str) -> int:
    """Count the files and ranks to the nearest square before a gate."""
    return min(
        abs(ord(place[0]) - ord(square[0])) + abs(int(place[1:]) - int(square[1:]))
        for squares in view.gates.values()
        for square in squares
    )


if __name__ == "__main__":
    run(Watchman)
