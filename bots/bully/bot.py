"""Bully: attacks who would most likely lose to it, and leaves the others alone."""

from collections.abc import Sequence

from botkit import Bot, DuelView, Move, Piece, run
from botkit.ranks import BOMB, FLAG, LADDER

LIKELY = 0.6  # chance to win at which a piece attacks
RUN = 0.45  # what it is worth to get away from a known enemy that would win, in steps
BORED_PLIES = 16  # quiet plies after which it attacks at half of that
ATTACK = 10.0  # an attack that is sure to win; others get a part of it
IDLE = 0.5  # what it costs to move without a way to anybody
TURN_BACK = 0.6  # what it costs to take back the last move
FRONT = "7654892M3SBF"  # how far in front a rank likes to stand


class Bully(Bot[DuelView]):
    """Counts what the other army has left, and avoids fair fights."""

    back = ""

    def deploy(self, view: DuelView) -> str:
        """Put the flag into a corner behind a bomb; who likes to fight stands in front."""
        ranks = sorted(view.roster, key=lambda rank: self.rng.uniform(0, 4) - FRONT.find(rank))
        corner = self.rng.choice((0, view.files - 1))
        beside = [square for square in view.neighbours[view.home[corner]] if square in view.home]
        shelter = {corner: FLAG, view.home.index(max(beside, key=view.depth)): BOMB}
        for rank in shelter.values():
            ranks.remove(rank)
        for place in sorted(shelter):
            ranks.insert(place, shelter[place])
        return "".join(ranks)

    def act(self, view: DuelView, legal: Sequence[str]) -> str:
        """Play the move with the best score."""
        del legal  # the view has the moves, taken apart
        self.enough = LIKELY / 2 if view.quiet_plies > BORED_PLIES else LIKELY
        movers = {view.by_square[move.origin].rank for move in view.moves}
        self.far = {rank: self.steps(view, rank) for rank in sorted(movers)}
        best = max(view.moves, key=lambda move: self.score(view, move))
        self.back = best.target + best.origin
        return str(best)

    def score(self, view: DuelView, move: Move) -> float:
        """Judge a move by its victim, or by its way to one."""
        piece = view.by_square[move.origin]
        victim = view.by_square.get(move.target)
        score = self.rng.random() - TURN_BACK * (str(move) == self.back)
        score += RUN * self.hunted(view, piece, move.origin)
        score -= RUN * self.hunted(view, piece, move.target)
        if victim is None:
            far = self.far[piece.rank]
            here = far.get(move.origin, 0)
            return score + here - far.get(move.target, here + IDLE)
        chance = share(view, piece.rank, victim)
        return score + (ATTACK * chance if chance >= self.enough else -ATTACK)

    def hunted(self, view: DuelView, piece: Piece, square: str) -> bool:
        """Return whether an enemy that it knows stands beside a square and would win there."""
        beside = (view.by_square.get(near) for near in view.neighbours[square])
        return any(
            enemy.seat != self.seat and view.fight(enemy.rank, piece.rank) > 0
            for enemy in beside
            if enemy and enemy.rank and enemy.rank in LADDER
        )

    def steps(self, view: DuelView, rank: str) -> dict[str, int]:
        """Count the steps from every square to the nearest enemy that a rank would attack."""
        queue = [e.square for e in view.enemy if share(view, rank, e) >= self.enough]
        far = dict.fromkeys(queue, 0)
        for square in queue:
            for near in view.neighbours[square]:
                if near not in far:
                    far[near] = far[square] + 1
                    if near not in view.by_square:
                        queue.append(near)
        return far


def share(view: DuelView, rank: str, enemy: Piece) -> float:
    """Return the chance that a rank beats an enemy by attacking it, from the counts alone."""
    counts = {code: float(n) for code, n in view.hidden.items() if n > 0 and code in LADDER}
    if enemy.rank:
        counts = {enemy.rank: 1.0}
    elif not enemy.moved:  # the flag and the bombs are all among those that never moved
        still = sum(not piece.rank and not piece.moved for piece in view.enemy)
        rooted = {code: view.hidden[code] for code in FLAG + BOMB}
        mobile = (still - sum(rooted.values())) / max(1.0, sum(counts.values()))
        counts = {code: n * mobile for code, n in counts.items()} | rooted
    won = sum(n for code, n in counts.items() if view.fight(rank, code) > 0)
    return won / sum(counts.values())


if __name__ == "__main__":
    run(Bully)
