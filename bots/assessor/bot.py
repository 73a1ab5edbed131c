"""Assessor: the exact odds of the kit, no opinion on how anybody behaves, and a premium on risk."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from typing import Any

from botkit import Bot, DuelView, Move, Piece, run
from botkit.ranks import BOMB, FLAG, LADDER
from botkit.worlds import Knowledge

VALUE = {
    "F": 100.0, "B": 6.0, "S": 8.0, "2": 3.0, "3": 8.0, "4": 5.0,
    "5": 7.0, "6": 11.0, "7": 16.0, "8": 25.0, "9": 36.0, "M": 50.0,
}  # fmt: skip
PREMIUM = 0.2  # of a loss that an enemy beside a piece may cause
WAY = 0.8  # of a gain that is one step farther away
WEARY = 1.5  # what it costs to go where the piece has been of late
FRONT_FIRST = "564279M8S3B"  # who stands in front, roughly
NEWS = 0.2  # of the value of an enemy: what it is worth to learn its rank


class Assessor(Bot[DuelView]):
    """Knows what everything is likely to be, and what that is worth."""

    known: Knowledge

    def deploy(self, view: DuelView) -> str:
        """Insure the flag with bombs, in front first; the rest stands by taste and some chance."""
        self.known = Knowledge(view, self.options)
        self.trail: deque[str] = deque(maxlen=10)
        flag = self.rng.choice(view.home[: view.files])
        beside = [square for square in view.neighbours[flag] if square in view.home]
        walls = sorted(beside, key=view.depth, reverse=True)[: view.army[BOMB]]
        placed = {flag: FLAG, **dict.fromkeys(walls, BOMB)}
        rest = [*(Counter(view.roster) - Counter(placed.values())).elements()]
        rest.sort(key=lambda rank: FRONT_FIRST.index(rank) + self.rng.uniform(0, 5))
        return "".join(placed.get(square) or rest.pop() for square in view.home)

    def hear(self, event: Mapping[str, Any]) -> None:
        """Pass the event to the kit."""
        self.known.hear(event)

    def act(self, view: DuelView, legal: Sequence[str]) -> str:
        """Play the move of the highest expectation."""
        self.belief = self.known.marginals()
        self.odds = {p.id: {p.rank: 1.0} if p.rank else self.belief[p.id] for p in view.enemy}
        self.patience = max(0.1, 1.0 - view.quiet_plies / 100)
        moves = [Move.parse(action) for action in legal]
        ranks = {view.by_square[move.origin].rank for move in moves}
        pulls = {rank: self.pull(view, rank) for rank in sorted(ranks)}
        best = max(moves, key=lambda move: self.score(view, pulls, move))
        self.trail.append(view.by_square[best.origin].id + best.target)
        return str(best)

    def gain(self, view: DuelView, rank: str, enemy: Piece) -> float:
        """Expect what falls on either side if a rank of ours attacks."""
        total = 0.0
        for theirs, chance in self.odds[enemy.id].items():
            end = view.fight(rank, theirs)
            total += chance * VALUE[theirs] * (1.0 if end >= 0 else NEWS * (not enemy.rank))
            total -= chance * VALUE[rank] * (end <= 0) * self.patience
        return total

    def risk(self, view: DuelView, piece: Piece, square: str) -> float:
        """Expect what the likeliest beater beside a square costs us there."""
        beside = (view.by_square.get(near) for near in view.neighbours[square])
        chances = (
            sum(
                chance
                for theirs, chance in self.odds[enemy.id].items()
                if theirs in LADDER and view.fight(theirs, piece.rank) >= 0
            )
            for enemy in beside
            if enemy is not None and enemy.seat != self.seat
        )
        return PREMIUM * VALUE[piece.rank] * max(chances, default=0.0)

    def pull(self, view: DuelView, rank: str) -> dict[str, float]:
        """Return for each square what the best target is worth from there, less with each step."""
        gains = {enemy.square: self.gain(view, rank, enemy) for enemy in view.enemy}
        pull: dict[str, float] = {}
        for goal, gain in sorted(gains.items(), key=lambda target: -target[1]):
            if gain <= 0:
                break
            queue, seen = deque([(goal, gain)]), {goal}
            while queue:
                square, worth = queue.popleft()
                pull[square] = max(worth, pull.get(square, 0.0))
                for near in view.neighbours[square]:
                    if near not in seen and near not in gains:
                        seen.add(near)
                        queue.append((near, WAY * worth))
        return pull

    def score(self, view: DuelView, pulls: Mapping[str, Mapping[str, float]], move: Move) -> float:
        """Add the gain and the way of a move; take off the change of its risk."""
        piece = view.by_square[move.origin]
        victim = view.by_square.get(move.target)
        score = self.risk(view, piece, move.origin) - self.risk(view, piece, move.target)
        score += 0.1 * self.rng.random()
        if victim is not None:
            return score + self.gain(view, piece.rank, victim)
        pull = pulls[piece.rank]
        score += pull.get(move.target, 0.0) - pull.get(move.origin, 0.0)
        return score - WEARY * self.trail.count(piece.id + move.target)


if __name__ == "__main__":
    run(Assessor)
