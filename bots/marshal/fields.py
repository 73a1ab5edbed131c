"""Where to go: for each rank of ours, how much every square attracts; targets radiate outwards."""

from collections.abc import Iterable
from heapq import heapify, heappop, heappush

from worth import Worth

from botkit import DuelView, Piece

FADE = 0.85  # of an attraction that is left one step farther away
CROWD = 0.7  # the same where a piece of ours stands in the way

Field = dict[str, float]


def field(view: DuelView, worth: Worth, piece: Piece) -> Field:
    """Give the pull of the most attractive target on each square, for pieces of this rank."""
    pull: Field = {}
    gains = ((worth.gain(piece, enemy), enemy.square) for enemy in view.enemy)
    queue = [(-gain, square) for gain, square in gains if gain > 0]
    heapify(queue)
    while queue:  # Dijkstra's way: the strongest pull that is left is final
        strength, square = heappop(queue)
        if square in pull:
            continue
        pull[square] = -strength
        for near in view.neighbours[square]:
            other = view.by_square.get(near)
            if near not in pull and (other is None or other.seat == view.seat):
                heappush(queue, (strength * (CROWD if other else FADE), near))
    return pull


def fields(view: DuelView, worth: Worth, pieces: Iterable[Piece]) -> dict[str, Field]:
    """Give one field per rank and secrecy among some pieces, keyed by piece id."""
    by_key: dict[tuple[str, bool], Field] = {}
    by_id: dict[str, Field] = {}
    for piece in pieces:
        key = (piece.rank, piece.revealed)
        if key not in by_key:
            by_key[key] = field(view, worth, piece)
        by_id[piece.id] = by_key[key]
    return by_id
