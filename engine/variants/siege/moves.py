"""Which moves there are, and which pieces are protected."""

from engine.variants.siege.army import FIRST, GARRISON, SOLDIER, WHITE
from engine.variants.siege.board import FIRST_CIRCLE
from engine.variants.siege.readings import NOWHERE
from engine.variants.siege.state import EMPTY, State

FIRST_BESIEGER = FIRST[WHITE]


def besieger_moves(state: State, seat: int) -> list[str]:
    """List the moves of a besieger: to free places only, as besiegers never capture (D19)."""
    at, where, kind, rays = state.at, state.where, state.kind, state.rules.rays
    moves = []
    for piece in state.alive[seat]:
        for line in rays[kind[piece]][where[piece]]:
            for target, text in line:
                if at[target] != EMPTY:
                    break
                moves.append(text)
    return moves


def garrison_moves(state: State) -> list[str]:
    """List the garrison's moves, captures included, before any demand is heard."""
    at, where, kind, steps = state.at, state.where, state.kind, state.rules.steps
    field, leaving, inner = [], [], []
    for piece in state.alive[GARRISON]:
        start = where[piece]
        for target, text in steps[kind[piece]][start]:
            standing = at[target]
            if standing != EMPTY and not can_take(state, start, target):
                continue
            if start < FIRST_CIRCLE:
                field.append(text)
            elif target < FIRST_CIRCLE:
                leaving.append(text)
            else:
                inner.append(text)
    if field or not soldiers_outside(state):
        return field + leaving + inner
    return relieve(state, leaving, inner)


def relieve(state: State, leaving: list[str], inner: list[str]) -> list[str]:
    """Choose among moves while the garrison's soldiers on the board are immobilised (D37).

    Somebody must come out; where nobody can, an officer may still move inside (DX13).
    """
    if state.rules.officers_only:
        leaving = [text for text in leaving if _by_officer(state, text)]
    return leaving or [text for text in inner if _by_officer(state, text)]


def _by_officer(state: State, text: str) -> bool:
    return state.rank[state.at[state.rules.ends[text][0]]] != SOLDIER


def soldiers_outside(state: State) -> bool:
    """Return whether any soldier of the garrison stands on a square."""
    return any(
        state.rank[piece] == SOLDIER and state.where[piece] < FIRST_CIRCLE
        for piece in state.alive[GARRISON]
    )


def can_take(state: State, start: int, target: int) -> bool:
    """Return whether what stands on a place could be captured from another one (D4, D32)."""
    victim = state.at[target]
    if victim < FIRST_BESIEGER:
        return False
    return not is_safe(state, target) and not is_protected(state, start, target)


def is_safe(state: State, place: int) -> bool:
    """Return whether a besieging soldier has entered the fort, where nothing captures it (D4)."""
    return place >= FIRST_CIRCLE and state.rank[state.at[place]] == SOLDIER


def is_protected(state: State, start: int, target: int) -> bool:
    """Return whether a besieger could move to `target` once a capturer has left `start` (D32)."""
    at, kind = state.at, state.kind
    for source, middle, mask in state.rules.threats[target]:
        piece = at[source]
        if piece < FIRST_BESIEGER or not mask >> kind[piece] & 1:
            continue
        if middle in (NOWHERE, start) or at[middle] == EMPTY:
            return True
    return False


def captures(state: State, moves: list[str]) -> list[str]:
    """Pick the moves that take something."""
    at, ends = state.at, state.rules.ends
    return [text for text in moves if at[ends[text][1]] != EMPTY]


def answers(state: State, moves: list[str]) -> list[str]:
    """Pick the moves that do as the demand asks (D22); none where it is void."""
    if state.demand is None:
        return []
    taking = captures(state, moves)
    if state.demand.place == NOWHERE:
        return taking
    return [text for text in taking if state.rules.ends[text][1] == state.demand.place]
