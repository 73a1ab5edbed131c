"""Sleuth: remembers how every piece behaved, infers what it may be, captures where it pays."""

from collections.abc import Mapping, Sequence
from typing import Any

from botkit import Bot, DuelView, Move, Piece, run

VALUE = {
    "F": 150.0, "B": 8.0, "S": 10.0, "2": 3.0, "3": 8.0, "4": 5.0,
    "5": 7.0, "6": 11.0, "7": 16.0, "8": 24.0, "9": 36.0, "M": 50.0,
}  # fmt: skip
LADDER = "S23456789M"
Odds = Mapping[str, float]  # rank -> chance
Gains = Mapping[str, Mapping[str, float]]  # own rank -> square of an enemy -> expected gain

UNLIKELY = 0.3  # how much a rank that does not fit a piece's behaviour is still believed
STALE = 2.0  # what it costs to go back where the piece came from


class Sleuth(Bot[DuelView]):
    """Counts what is left, watches who dares what, and computes expected gains."""

    def begin(self) -> None:
        """Start with an empty notebook; enemy pieces are noted by id."""
        self.named: dict[str, str] = {}  # ranks heard in fights, in case the board forgets them
        self.dared: dict[str, int] = {}  # strongest known piece of ours that it walked up to
        self.fled: dict[str, int] = {}  # weakest known piece of ours that it walked away from
        self.news: list[Mapping[str, Any]] = []
        self.shown: dict[str, int] = {}  # square -> strength of a piece of ours that is known
        self.back: list[str] = []  # the latest moves turned round

    def deploy(self, view: DuelView) -> str:
        """Put the flag in the back row behind a bomb; bombs and miners back, fighters ahead."""
        pool = sorted(
            view.roster, key=lambda rank: "B3S2M9485776F".index(rank) + self.rng.uniform(0, 7)
        )
        pool.remove("F")
        pool.remove("B")
        flag = self.rng.randrange(view.files)
        beside = [square for square in view.neighbours[view.home[flag]] if square in view.home]
        bomb = view.home.index(max(beside, key=view.depth))
        for place, rank in sorted({flag: "F", bomb: "B"}.items()):
            pool.insert(place, rank)
        return "".join(pool)

    def hear(self, event: Mapping[str, Any]) -> None:
        """Note the ranks named in a fight, and what the enemy moved, to be judged later."""
        if event["type"] == "fought":
            for fighter in (event["attacker"], event["defender"]):
                self.named[fighter["id"]] = fighter["rank"]
        elif event["type"] == "moved" and event["seat"] != self.seat:
            self.news.append(event)

    def act(self, view: DuelView, legal: Sequence[str]) -> str:
        """Update the notebook, then play the action with the highest expected gain."""
        self.read_news(view)
        odds = self.suspect(view)
        self.belief = {piece.id: odds[piece.id] for piece in view.enemy if not piece.rank}
        gains = {
            rank: {enemy.square: gain(view, rank, odds[enemy.id]) for enemy in view.enemy}
            for rank in view.army
            if rank in LADDER
        }
        moves = [Move.parse(action) for action in legal]
        best = max(moves, key=lambda move: self.score(view, gains, move))
        self.back = [*self.back[-7:], best.target + best.origin]
        self.shown = {
            piece.square: LADDER.index(piece.rank)
            for piece in view.own
            if piece.revealed and piece.rank in LADDER and piece.square != best.origin
        }
        return str(best)

    def read_news(self, view: DuelView) -> None:
        """Judge the enemy's moves by the known pieces of ours that they came close to or left."""
        for event in self.news:
            near = [self.shown[at] for at in view.neighbours[event["to"]] if at in self.shown]
            left = [self.shown[at] for at in view.neighbours[event["from"]] if at in self.shown]
            who = event["piece"]
            if near:
                self.dared[who] = max(self.dared.get(who, 0), *near)
            elif left:
                self.fled[who] = min(self.fled.get(who, 99), *left)
        self.news.clear()

    def suspect(self, view: DuelView) -> dict[str, Odds]:
        """Give the chance of each rank for every enemy piece, by its id."""
        known = {piece.id: piece.rank or self.named.get(piece.id, "") for piece in view.enemy}
        left = dict(view.hidden)
        for piece in view.enemy:
            if known[piece.id] and not piece.rank:
                left[known[piece.id]] -= 1
        still = sum(1 for piece in view.enemy if not known[piece.id] and not piece.moved)
        return {
            piece.id: {known[piece.id]: 1.0}
            if known[piece.id]
            else self.odds(view, piece, left, still)
            for piece in view.enemy
        }

    def odds(self, view: DuelView, piece: Piece, left: Mapping[str, int], still: int) -> Odds:
        """Weigh what is left by how a piece behaved; `still` counts those that never moved."""
        weight = {rank: float(count) for rank, count in left.items() if count > 0}
        if piece.moved:
            weight.pop("F", None)
            weight.pop("B", None)
        else:
            crowd = sum(weight.values()) / still  # flag and bombs are all among the few
            deep = view.depth(piece.square) == view.ranks - 1
            weight["F"] = weight.get("F", 0.0) * crowd * (2.0 if deep else 0.5)
            weight["B"] = weight.get("B", 0.0) * crowd
        for rank in weight:
            strength = LADDER.find(rank)
            if strength < self.dared.get(piece.id, -1) or strength > self.fled.get(piece.id, 99):
                weight[rank] *= UNLIKELY
        total = sum(weight.values()) or 1.0
        return {rank: part / total for rank, part in weight.items() if part > 0}

    def score(self, view: DuelView, gains: Gains, move: Move) -> float:
        """Add up what a move wins now, what it risks, and what it comes closer to."""
        piece = view.by_square[move.origin]
        score = self.rng.random() * 0.2
        if move.target in view.by_square:
            score += gains[piece.rank][move.target]
        else:
            score += pull(gains[piece.rank], move.target) - pull(gains[piece.rank], move.origin)
            score -= STALE * self.back.count(str(move))
        score += self.danger(view, piece, move.origin)
        return score - self.danger(view, piece, move.target)

    def danger(self, view: DuelView, piece: Piece, square: str) -> float:
        """Say what a piece of ours stands to lose on a square to a known enemy beside it."""
        beside = (view.by_square.get(near) for near in view.neighbours[square])
        hunted = any(
            enemy is not None
            and enemy.seat != self.seat
            and LADDER.find(enemy.rank or "?") >= 0
            and view.fight(enemy.rank, piece.rank) > 0
            for enemy in beside
        )
        return VALUE[piece.rank] if hunted else 0.0


def gain(view: DuelView, own: str, odds: Odds) -> float:
    """Expect the value won less the value lost when a rank attacks something of these odds."""
    patience = max(0.1, 1 - view.quiet_plies / 100)  # a standing game makes losses cheap
    total = 0.0
    for rank, chance in odds.items():
        end = view.fight(own, rank)
        won = VALUE[rank] if end >= 0 else VALUE[rank] * 0.2  # to know it is worth something
        lost = VALUE[own] * patience if end <= 0 else 0.0
        total += chance * (won - lost)
    return total


def pull(gains: Mapping[str, float], square: str) -> float:
    """Feel the best gain on the board from a square, the weaker the farther it is."""
    x, y = ord(square[0]), int(square[1:])
    return max(
        best / (1 + abs(x - ord(square[0])) + abs(y - int(square[1:])))
        for square, best in gains.items()
    )


if __name__ == "__main__":
    run(Sleuth)
