"""How the castellan besieges: guarded advance, and baits that lure the guards off their gates."""

import random
from collections.abc import Mapping

from botkit import Field, SiegeView, Step, Trooper

ENTRY = 60.0  # a piece inside that is still needed
CROWD = -20.0  # a piece inside that is not
OPEN_TO_ME = 30.0  # a gate that the next besieger can enter with a piece that is needed
OPEN_TO_ALLY = 8.0  # the same for the one after it
OPEN_BY_BAIT = 25.0  # the same where a bait of the next keeps the gate open for it
WORTH, SCARCE = 6.0, 40.0  # a piece while there are many, and what is added as they get fewer
IDLE_BAIT = 3.0  # what a bait costs that only draws a guard out
PATIENCE = 20  # quiet plies after which baits are worth that
SPENT = 1.0  # a piece, where the game would be lost if nothing happened any more
TO_TAKE = {"S": 24, "O": 6}  # what the garrison has to capture
NEAR, FAR = 3, 9  # moves to a gate between which coming nearer counts
GUARD = 1.5  # a guard too many or too few beside a bait
HAMPER = 1.2  # a place that a piece of the garrison outside could go to
BAITED = 8.0  # one gate square held, the other free with one guard, who can be the bait
ALLY = {"white": "black", "black": "white"}


class Besieger:
    """Scores the moves of one besieging seat; it knows nothing of the thoughts of its ally."""

    def __init__(
        self, field: Field, view: SiegeView, rng: random.Random, need: Mapping[str, int]
    ) -> None:
        self.field = field
        self.seat = view.seat
        self.rng = rng
        self.need = need
        self.restless = view.quiet_plies > PATIENCE
        self.missing = missing(field, need)
        soldiers = sum(p.besieger and not p.officer for p in field.at.values())
        self.worth = WORTH + SCARCE / max(1, soldiers - need["S"])
        if self.restless and behind(field, view, need):
            self.worth = SPENT

    def score(self, action: str) -> float:
        """Say how good an action looks: what it brings, and what it costs next."""
        step = Step.parse(action)
        piece, after = self.field.at[step.origin], self.field.after(action)
        taken = after.captures()
        score = self.rng.random() + self.gain(piece, step) + readiness(after, self.missing)
        score -= HAMPER * freedom(after)
        if not taken:
            return score - step.demands
        score -= self.loss(taken)
        return score + self.bait(after, taken) if step.demands else score

    def gain(self, piece: Trooper, step: Step) -> float:
        """Count what the move itself brings: an entry, room behind a gate, or a shorter way."""
        field = self.field
        if step.target in field.circles:
            if step.origin not in field.circles:
                return ENTRY if self.missing[kind(piece)] > 0 else CROWD
            return 6.0 if step.origin in field.terrain.gates else -2.0
        terrain = field.terrain
        return max(
            distance(steps, step.origin) - distance(steps, step.target)
            for steps in (terrain.steps_to(gate, piece.rank) for gate in terrain.gates)
        )

    def loss(self, taken: list[tuple[Trooper, Trooper]]) -> float:
        """Count what the garrison may take: one piece now, the others perhaps later."""
        victims = {victim.place for _, victim in taken}
        return self.worth * (0.5 + 0.5 * len(victims))

    def bait(self, after: Field, taken: list[tuple[Trooper, Trooper]]) -> float:
        """Count what a forced capture opens, at the garrison's best choice."""
        return min(self.opened(after, capturer, victim) for capturer, victim in taken)

    def opened(self, after: Field, capturer: Trooper, victim: Trooper) -> float:
        """Look at the gates once a capture has been made."""
        then = taken_by(after, capturer, victim)
        opened = promise(then, ALLY[self.seat], missing(then, self.need))
        if opened == OPEN_TO_ALLY and self.ally_can_bait(then):
            opened = OPEN_BY_BAIT
        drawn = capturer.place in after.circles and victim.place not in after.circles
        idle = max(0.0, self.worth - IDLE_BAIT)
        return opened + (idle if drawn and self.restless else 0.0)

    def ally_can_bait(self, field: Field) -> bool:
        """Return whether the ally has a bait after which a gate is still open to this besieger.

        A garrison that must capture has no time to shut a gate.
        """
        return any(
            taken and all(self.stays_open(after, *each) for each in taken)
            for after in (
                field.after(f"{piece.place}-{place}")
                for piece in list(field.at.values())
                if piece.seat == ALLY[self.seat] and piece.place not in field.circles
                for place in field.reach(piece)
            )
            if (taken := after.captures())
        )

    def stays_open(self, after: Field, capturer: Trooper, victim: Trooper) -> bool:
        """Return whether this besieger can enter once a capture has been made."""
        then = taken_by(after, capturer, victim)
        return promise(then, self.seat, missing(then, self.need)) == OPEN_TO_ME


def taken_by(field: Field, capturer: Trooper, victim: Trooper) -> Field:
    """Return the field after a capture."""
    return field.after(f"{capturer.place}-{victim.place}")


def distance(steps: Mapping[str, int], place: str) -> int:
    """Count the moves to a gate; close by it is all the same, and so is very far."""
    return min(max(steps.get(place, FAR), NEAR), FAR)


def freedom(field: Field) -> int:
    """Count the free places that the garrison's pieces outside could go to."""
    return sum(
        place not in field.at
        for piece in field.at.values()
        if not piece.besieger and piece.place not in field.circles
        for place in field.reach(piece)
    )


def kind(piece: Trooper) -> str:
    """Tell soldiers from officers."""
    return "O" if piece.officer else "S"


def behind(field: Field, view: SiegeView, need: Mapping[str, int]) -> bool:
    """Return whether the garrison has reached as great a share of its aim as the besiegers."""
    taken: Mapping[str, int] = view.raw["taken"]
    captured = min(taken["soldiers"], TO_TAKE["S"]) + min(taken["officers"], TO_TAKE["O"])
    lacking = sum(max(0, count) for count in missing(field, need).values())
    inside = sum(need.values()) - lacking
    return inside * sum(TO_TAKE.values()) <= captured * sum(need.values())


def missing(field: Field, need: Mapping[str, int]) -> Mapping[str, int]:
    """Count the soldiers (S) and officers (O) that are still needed inside."""
    inside = [kind(piece) for piece in field.inside()]
    return {code: count - inside.count(code) for code, count in need.items()}


def promise(field: Field, seat: str, lacking: Mapping[str, int]) -> float:
    """Say what the open gates are worth to the besieger that moves next."""
    best = 0.0
    for gate, squares in field.terrain.gates.items():
        if gate in field.at:
            continue
        for square in squares:
            piece = field.at.get(square)
            if piece is not None and piece.besieger and lacking[kind(piece)] > 0:
                best = max(best, OPEN_TO_ME if piece.seat == seat else OPEN_TO_ALLY)
    return best


def readiness(field: Field, lacking: Mapping[str, int]) -> float:
    """Say how well baits are prepared: one gate square held, the other free and hardly guarded."""
    score = 0.0
    for gate, squares in field.terrain.gates.items():
        guard, best = field.at.get(gate), 0.0
        lured = set() if guard is None or guard.besieger else set(field.reach(guard))
        for held, free in (squares, squares[::-1]):
            piece = field.at.get(held)
            if piece is None or not piece.besieger:
                continue
            value = 3.0 + (2.0 if lacking[kind(piece)] > 0 else 0.0)
            if free in lured and free not in field.at:
                value += BAITED - GUARD * abs(guards(field, free) - 1)
            best = max(best, value)
        score += best
    return score


def guards(field: Field, place: str) -> int:
    """Count the besiegers that could move to a place."""
    count = 0
    for rank, start, between in field.terrain.threats[place]:
        piece = field.at.get(start)
        if piece is not None and piece.besieger and piece.rank == rank:
            count += not between or between not in field.at
    return count
