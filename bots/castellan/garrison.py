"""How the castellan holds a fort: gates shut, few outside, hunters that attack two at a time."""

import random
from collections.abc import Sequence

from botkit import Field, SiegeView, Step, Trooper

CAPTURE = 20.0
OPEN_GATE = {1: 30.0, 2: 15.0, 3: 5.0}  # by the moves that the nearest besieger needs to it
AJAR = 1.0  # an open gate with nobody near
ROOM = 4.0  # a circle free beyond those that cannot be used
HUNTERS = 4  # pieces that are better outside, while there are many besiegers
SALLY = 3.0  # each of them
FEW = 4  # besiegers fewer than two dozen that let another one out
SQUEEZE = 12.0  # a move after which the next besieger cannot help giving something away
LOOKED_AT = 4  # moves for which that is worked out
THREAT = 3.0  # a capture to make next, beyond the one that the besiegers can parry
OFFICERS = 6
PATIENCE = 12  # quiet plies after which the besiegers are squeezed


class Garrison:
    """Scores the moves of the garrison."""

    def __init__(self, field: Field, view: SiegeView, rng: random.Random) -> None:
        self.field = field
        self.rng = rng
        cycle: list[str] = view.raw["cycle"]
        self.next = cycle[(view.raw["turn"] + 1) % len(cycle)]
        self.restless = view.quiet_plies > PATIENCE
        self.officers_left = OFFICERS - view.raw["taken"]["officers"]

    def choose(self, legal: Sequence[str]) -> str:
        """Give the best move; when nothing happens, that which leaves the besiegers least."""
        scores = {action: self.score(action) for action in legal}
        best = sorted(legal, key=lambda action: -scores[action])
        if not self.restless:
            return best[0]
        return max(best[:LOOKED_AT], key=lambda action: scores[action] + self.squeeze(action))

    def squeeze(self, action: str) -> float:
        """Count the moves of the next besieger that leave nothing to be captured."""
        after = self.field.after(action)
        if after.captures():
            return 0.0
        safe = 0
        for piece in list(after.at.values()):
            if piece.seat != self.next:
                continue
            for place in after.reach(piece):
                safe += not after.after(f"{piece.place}-{place}").captures()
        return SQUEEZE / (1 + safe)

    def score(self, action: str) -> float:
        """Say how good a move looks once the besiegers have had one answer."""
        step, after = Step.parse(action), self.field.after(action)
        score = self.rng.random() - danger(after) + posture(after)
        victim = self.field.at.get(step.target)
        if victim is not None:
            score += CAPTURE if not victim.officer or self.officers_left > 0 else CAPTURE / 2
        prey = {victim.place for _, victim in after.captures()}
        score += 1.0 if len(prey) == 1 else THREAT * (len(prey) - 1) if prey else 0.0
        return score + self.hunt(step)

    def hunt(self, step: Step) -> float:
        """Count the steps that a piece outside gains towards besiegers that nobody guards."""
        if step.origin in self.field.circles or step.target in self.field.circles:
            return 0.0
        prey = [p.place for p in outside(self.field) if not self.field.guarded(p.place)]
        prey = prey or [p.place for p in outside(self.field)]
        return 0.5 * (nearest(step.origin, prey) - nearest(step.target, prey)) if prey else 0.0


def danger(field: Field) -> float:
    """Add up what the open gates may cost."""
    risk = 0.0
    for gate in field.terrain.gates:
        if gate in field.at:
            continue
        steps = min(
            (
                field.terrain.steps_to(gate, piece.rank).get(piece.place, 99)
                for piece in outside(field)
            ),
            default=99,
        )
        risk += OPEN_GATE.get(steps, AJAR)
    return risk


def posture(field: Field) -> float:
    """Weigh how many are out to hunt against the circles left to those who come in."""
    free = len(field.circles) - sum(not p.besieger for c in field.circles if (p := field.at.get(c)))
    spare = HUNTERS + max(0, 24 - len(outside(field))) // FEW
    return SALLY * min(free, spare) - ROOM * max(0, free - spare)


def outside(field: Field) -> list[Trooper]:
    """Give the besiegers that stand on squares."""
    return [p for p in field.at.values() if p.besieger and p.place not in field.circles]


def nearest(square: str, others: list[str]) -> int:
    """Count the steps of a general to the nearest of some squares."""
    x, y = ord(square[0]), int(square[1:])
    return min(max(abs(x - ord(other[0])), abs(y - int(other[1:]))) for other in others)
