"""What the hidden pieces may be: a weight for each piece and rank, and worlds drawn from them."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from botkit import DuelView, Piece
from botkit.ranks import BOMB, FLAG, LADDER, MINER, SCOUT

Odds = Mapping[str, float]  # rank -> chance

# How often a rank is set up in each row, the back row first, as careful players do it.
ROWS: Mapping[str, Sequence[float]] = {
    "F": (8.0, 0.6, 0.1, 0.05),
    "B": (3.0, 1.6, 0.3, 0.2),
    "S": (1.0, 1.3, 2.0, 0.3),
    "2": (0.8, 0.8, 1.2, 1.5),
    "3": (2.4, 1.7, 0.3, 0.2),
    "4": (0.8, 1.0, 1.6, 0.6),
    "5": (0.5, 1.1, 1.3, 1.2),
    "6": (0.2, 0.8, 0.8, 2.2),
    "7": (0.2, 1.2, 1.5, 1.2),
    "8": (0.3, 0.8, 1.6, 1.3),
    "9": (0.2, 0.6, 1.6, 1.6),
    "M": (0.2, 1.2, 2.2, 0.4),
}
BACK_TO_FRONT = 3  # rows from the first of these to the last
MEEK = SCOUT + MINER  # the ranks that leave the fights to others
STIRRED = 1.8  # of a hidden piece that has moved: how much more it may be any other rank
RAIDS = 3.0  # the same for a miner if the piece has come into our half
PLODS = 0.5  # left of the belief in a scout for each step of a piece: a scout can run
CHARGED = 0.4  # left of the belief in a meek rank that walks up to a piece it does not know
APPROACHED = 0.08  # the same for a rank that walks up to a known piece that it does not beat
FLED = 0.3  # the same for a rank that walks away from a piece that it beats
SPARED = 0.6  # the same for a rank that does not take what it beats
FAINT = 0.005  # no behaviour makes a rank less likely than this
OPEN_SIDE = 0.2  # for a flag, per side where nothing stands or a piece has moved
WALLED = 4.0  # for a flag, per known bomb beside it
ROUNDS = 6  # of balancing
ORDER = FLAG + BOMB + LADDER[::-1]  # of dealing: what few pieces can be comes first


class Beliefs:
    """A notebook on the enemy's pieces, by piece id; lasts for one game."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}  # ranks that were told, in case the board forgets them
        self._behaved: dict[str, dict[str, float]] = {}
        self._moves: list[Mapping[str, Any]] = []
        self._ours: dict[str, str] = {}  # square -> rank of ours that the enemy knew there
        self._rows: dict[str, int] = {}  # where a piece was set up
        self._left: Mapping[str, int] = {}  # how many of each rank are hidden

    def hear(self, event: Mapping[str, Any]) -> None:
        """Note a move or a fight, to be judged when the board is in view."""
        if event["type"] == "moved":
            self._moves.append(event)
        elif event["type"] == "revealed":
            self.known[event["piece"]] = event["rank"]
        elif event["type"] == "fought":
            for fighter in (event["attacker"], event["defender"]):
                self.known[fighter["id"]] = fighter["rank"]

    def update(self, view: DuelView) -> dict[str, dict[str, float]]:
        """Judge what was heard since the last turn; return the odds of every enemy piece by id."""
        if not self._rows:
            rows = {p.id: view.ranks - 1 - view.depth(p.square) for p in view.enemy}
            front = max(1, *rows.values())
            self._rows = {who: round(row * BACK_TO_FRONT / front) for who, row in rows.items()}
            self._behaved = {p.id: dict.fromkeys(LADDER, 1.0) for p in view.enemy}
        self._judge(view)
        self.known.update({piece.id: piece.rank for piece in view.enemy if piece.rank})
        hidden = [piece for piece in view.enemy if piece.id not in self.known]
        odds = self._balanced(view, hidden)
        odds.update({p.id: {self.known[p.id]: 1.0} for p in view.enemy if p.id in self.known})
        return odds

    def remember(self, view: DuelView, leaving: str) -> None:
        """Keep which of our ranks the enemy knows where, before our piece on `leaving` moves."""
        self._ours = {
            piece.square: piece.rank
            for piece in view.own
            if piece.revealed and piece.rank in LADDER and piece.square != leaving
        }

    def draw(self, odds: Mapping[str, Odds], rng: Random) -> Mapping[str, str]:
        """Deal the hidden ranks by the odds, flag and bombs first; return every rank by id."""
        free = [piece for piece in odds if piece not in self.known]
        world = dict(self.known)
        for rank in ORDER:
            for _ in range(self._left.get(rank, 0)):
                weights = [odds[piece][rank] for piece in free]
                (at,) = rng.choices(range(len(free)), weights)
                world[free.pop(at)] = rank
        return world

    def _judge(self, view: DuelView) -> None:
        """Weigh what the enemy's pieces did next to pieces of ours that it knows."""
        movers = {event["piece"]: event for event in self._moves if event["seat"] != view.seat}
        for piece in view.enemy:
            event = movers.get(piece.id)
            near = self._beside(view, event["to"] if event else piece.square)
            left = self._beside(view, event["from"]) if event else ()
            fits = self._behaved[piece.id]
            if event:
                fits[SCOUT] *= PLODS
                beside = (view.by_square.get(square) for square in view.neighbours[piece.square])
                charged = any(  # up to a piece of ours that it does not know
                    ours and ours.seat == view.seat and not ours.revealed for ours in beside
                )
                fits.update({rank: CHARGED * fits[rank] for rank in MEEK if charged})
            for rank in LADDER:
                if event and any(view.fight(rank, ours) <= 0 for ours in near):
                    fits[rank] *= APPROACHED
                if event and not near and any(view.fight(rank, ours) > 0 for ours in left):
                    fits[rank] *= FLED
                if not event and any(view.fight(rank, ours) > 0 for ours in near):
                    fits[rank] *= SPARED
                fits[rank] = max(FAINT, fits[rank])
        self._moves.clear()

    def _beside(self, view: DuelView, square: str) -> Sequence[str]:
        return [self._ours[near] for near in view.neighbours[square] if near in self._ours]

    def _balanced(self, view: DuelView, hidden: Sequence[Piece]) -> dict[str, dict[str, float]]:
        """Scale the weights until each piece has one rank and each rank its number (Sinkhorn)."""
        counts = dict(view.army)
        for gone in view.captured:
            counts[gone.rank] -= gone.seat != view.seat
        for piece in view.enemy:
            if piece.id in self.known:
                counts[self.known[piece.id]] -= 1
        self._left = left = {rank: count for rank, count in counts.items() if count > 0}
        rows = {
            piece.id: {rank: self._weight(view, piece, rank) for rank in left} for piece in hidden
        }
        for _ in range(ROUNDS):
            for rank, count in left.items():
                scale = count / (sum(row[rank] for row in rows.values()) or 1.0)
                for row in rows.values():
                    row[rank] *= scale
            for row in rows.values():
                whole = sum(row.values()) or 1.0
                for rank in row:
                    row[rank] /= whole
        return rows

    def _weight(self, view: DuelView, piece: Piece, rank: str) -> float:
        weight = ROWS[rank][self._rows[piece.id]]
        if rank in LADDER:
            weight *= _roams(view, piece, rank) if piece.moved else 1.0
            return weight * self._behaved[piece.id][rank]
        if piece.moved:
            return 0.0
        return weight * (_shelter(view, piece, self.known) if rank == FLAG else 1.0)


def _roams(view: DuelView, piece: Piece, rank: str) -> float:
    """Weigh a rank by how readily it leaves its place: to fight, or to clear bombs away."""
    if rank == MINER and 2 * view.depth(piece.square) < view.ranks:
        return RAIDS
    return 1.0 if rank in MEEK else STIRRED


def _shelter(view: DuelView, piece: Piece, known: Mapping[str, str]) -> float:
    """Weigh a piece as a flag by its neighbours: bombs speak for it, open sides against it."""
    weight = 1.0
    for near in view.neighbours[piece.square]:
        other = view.by_square.get(near)
        if other is None or other.moved or other.seat == view.seat:
            weight *= OPEN_SIDE
        elif known.get(other.id) == BOMB:
            weight *= WALLED
    return weight
