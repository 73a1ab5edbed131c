"""Which moves are legal, and whether there is any."""

from engine.duel.board import EMPTY
from engine.duel.state import State


def legal_moves(state: State, seat: int) -> list[str]:
    """List the moves that a seat would have on its turn: its walkers' first, then its scouts'."""
    square, side, free = state.square, state.side, state.free[seat]
    far_strike = state.rules.far_strike
    moves: list[str] = []
    for piece in state.walkers[seat]:
        moves += free[square[piece]]
    for piece in state.scouts[seat]:
        start = square[piece]
        for ray in state.rules.board.rays[start][state.closed[seat][start]]:
            for target, text in ray:
                standing = side[target]
                if standing == EMPTY:
                    moves.append(text)
                    continue
                if standing != seat and (far_strike or target == ray[0][0]):
                    moves.append(text)
                break
    barred = state.barred[seat]
    if barred:
        moves = [text for text in moves if text not in barred]
    if state.rules.chase and state.hunts[seat].quarry is not None:
        moves = [text for text in moves if not repeats_chase(state, seat, text)]
    return moves


def can_move(state: State, seat: int) -> bool:
    """Return whether a seat has any legal move; moves barred by the shuttle limit do not count."""
    if state.barred[seat] or state.rules.chase:
        return bool(legal_moves(state, seat))
    square, free = state.square, state.free[seat]
    return any(free[square[piece]] for piece in state.walkers[seat] + state.scouts[seat])


def repeats_chase(state: State, seat: int, text: str) -> bool:
    """Return whether a move would lead a chase back to a position that it has already had."""
    hunt = state.hunts[seat]
    if hunt.quarry is None:
        return False
    start, target, _ = state.rules.board.moves[text]
    if state.side[target] != EMPTY:
        return False
    if state.square[hunt.quarry] not in state.rules.board.neighbours[target]:
        return False
    piece, came_from = state.at[start], state.series[seat]
    if (piece, target) == came_from[:2]:
        return False  # straight back is allowed for as long as the shuttle limit allows it
    position = state.square[:]
    position[piece] = target
    return tuple(position) in hunt.positions
