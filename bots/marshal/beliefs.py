"""What each enemy piece may be: the ranks still hidden, weighed by how the piece behaved."""

from collections.abc import Mapping, Sequence
from typing import Any

from botkit import DuelView, Piece

LADDER = "S23456789M"
DOUBT = 0.25  # how much a rank that does not fit a piece's behaviour is still believed
PASSIVE = 0.5  # the same for a piece that let a capture go by
FLAG_BY_ROW = (6.0, 2.0, 0.4, 0.1)  # flags live at the back; row 0 is the enemy's back row
OPEN_SIDE = 0.35  # per side of a piece where nothing still hides: flags are walled in
BOMB_BESIDE = 4.0  # per known bomb beside a piece: it guards something
BOMB_BY_ROW = (1.6, 1.2, 0.7, 0.5)

Odds = Mapping[str, float]


class Beliefs:
    """A notebook on the enemy's pieces, by piece id; lasts for one game."""

    def __init__(self) -> None:
        self._ranks: dict[str, str] = {}  # ranks named in fights, in case the board forgets them
        self._dared: dict[str, int] = {}  # strongest known piece of ours that it walked up to
        self._fled: dict[str, int] = {}  # weakest known piece of ours that it walked away from
        self._spared: dict[str, int] = {}  # weakest known piece of ours that it did not take
        self._ours: dict[str, int] = {}  # square -> strength of ours that the enemy knows
        self._moves: list[Mapping[str, Any]] = []

    def hear(self, event: Mapping[str, Any]) -> None:
        """Note a move or a fight, to be judged when the board is in view."""
        if event["type"] == "moved":
            self._moves.append(event)
        elif event["type"] == "fought":
            for fighter in (event["attacker"], event["defender"]):
                self._ranks[fighter["id"]] = fighter["rank"]

    def update(self, view: DuelView) -> dict[str, Odds]:
        """Judge what was heard since the last turn; give every enemy piece's odds, by its id."""
        movers = {event["piece"]: event for event in self._moves if event["seat"] != view.seat}
        for who, event in movers.items():
            near = self._known_beside(view, event["to"])
            left = self._known_beside(view, event["from"])
            if near:
                self._dared[who] = max(self._dared.get(who, 0), *near)
            elif left:
                self._fled[who] = min(self._fled.get(who, 99), *left)
        for piece in view.enemy:
            beside = self._known_beside(view, piece.square)
            if beside and piece.id not in movers and not piece.rank:
                self._spared[piece.id] = min(self._spared.get(piece.id, 99), *beside)
        self._moves.clear()
        return self._all_odds(view)

    def remember(self, view: DuelView, leaving: str) -> None:
        """Keep which of our ranks the enemy knows where, before our piece on `leaving` moves."""
        self._ours = {
            piece.square: LADDER.index(piece.rank)
            for piece in view.own
            if piece.revealed and piece.rank in LADDER and piece.square != leaving
        }

    def _known_beside(self, view: DuelView, square: str) -> list[int]:
        return [self._ours[near] for near in view.neighbours[square] if near in self._ours]

    def _all_odds(self, view: DuelView) -> dict[str, Odds]:
        known = {p.id: p.rank or self._ranks.get(p.id, "") for p in view.enemy}
        hidden = dict(view.hidden)
        for piece in view.enemy:
            if known[piece.id] and not piece.rank:
                hidden[known[piece.id]] -= 1
        left = {rank: count for rank, count in hidden.items() if count > 0}
        still = [p for p in view.enemy if not known[p.id] and not p.moved]
        fixed = _fixed(view, still, left)
        return {
            piece.id: {known[piece.id]: 1.0}
            if known[piece.id]
            else self._odds(piece, left, fixed.get(piece.id, {}))
            for piece in view.enemy
        }

    def _odds(self, piece: Piece, left: Mapping[str, int], fixed: Odds) -> Odds:
        """Share what flag and bombs leave among the ranks that move."""
        mobile = sum(count for rank, count in left.items() if rank in LADDER) or 1
        free = max(0.0, 1.0 - sum(fixed.values()))
        odds = {
            rank: free * count / mobile * self._fits(piece, rank)
            for rank, count in left.items()
            if rank in LADDER
        }
        odds.update(fixed)
        total = sum(odds.values()) or 1.0
        return {rank: chance / total for rank, chance in odds.items() if chance > 0}

    def _fits(self, piece: Piece, rank: str) -> float:
        strength = LADDER.index(rank)
        fit = 1.0
        if strength < self._dared.get(piece.id, -1):
            fit *= DOUBT
        if strength > self._fled.get(piece.id, 99):
            fit *= DOUBT
        if strength > self._spared.get(piece.id, 99):
            fit *= PASSIVE
        return fit


def _sheltered(view: DuelView, piece: Piece) -> float:
    """Weigh a piece as a flag by its neighbours: bombs speak for it, open sides against it."""
    weight = 1.0
    for near in view.neighbours[piece.square]:
        other = view.by_square.get(near)
        if other is None or other.moved or other.seat == view.seat:
            weight *= OPEN_SIDE
        elif other.rank == "B":
            weight *= BOMB_BESIDE
    return weight


def _fixed(view: DuelView, still: Sequence[Piece], left: Mapping[str, int]) -> Mapping[str, Odds]:
    """Share flag and bombs among the pieces that never moved, by how far back they stand."""
    back = {piece.id: view.ranks - 1 - view.depth(piece.square) for piece in still}
    odds: dict[str, dict[str, float]] = {piece.id: {} for piece in still}
    for rank, by_row in (("F", FLAG_BY_ROW), ("B", BOMB_BY_ROW)):
        weights = {who: by_row[min(row, len(by_row) - 1)] for who, row in back.items()}
        if rank == "F":
            for piece in still:
                weights[piece.id] *= _sheltered(view, piece)
        share = left.get(rank, 0) / (sum(weights.values()) or 1.0)
        for who, weight in weights.items():
            odds[who][rank] = weight * share
    for chances in odds.values():
        sure = sum(chances.values())
        for rank in chances:
            chances[rank] /= max(1.0, sure)
    return odds
