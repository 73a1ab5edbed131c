"""A siege set up piece by piece: for the pictures of the rule page, and for tests."""

from engine.variants.siege.army import CYCLE, FIRST, LIEUTENANT, PIECES, SEATS, SOLDIER, WHITE
from engine.variants.siege.board import FIRST_CIRCLE, NAMES, PLACES
from engine.variants.siege.options import OPTIONS
from engine.variants.siege.play import next_turn
from engine.variants.siege.readings import NOWHERE, is_circle, rules_of
from engine.variants.siege.state import EMPTY, State


def position(
    garrison: str = "",
    white: str = "",
    black: str = "",
    *,
    turn: str = "garrison",
    taken: tuple[int, int] = (0, 0),
    **options: object,
) -> State:
    """Set up pieces given as `Gc3 SNW`: rank, then place; then let a seat begin its turn.

    `taken` counts the soldiers and officers that have been captured; whoever is neither placed nor
    counted is nowhere. A besieger inside the fort came from the first free square: a1, b1 and so
    on, which matters to those that keep to a colour.
    """
    state = State(rules_of({key: option.default for key, option in OPTIONS.items()} | options))
    state.deployed = "by hand"
    state.at = [EMPTY] * len(NAMES)
    state.where = [NOWHERE] * PIECES
    state.kind = [0] * PIECES
    state.alive = [[], [], []]
    for seat, army in enumerate((garrison, white, black)):
        for piece, word in enumerate(army.split(), FIRST[seat]):
            rank, place = word[0], PLACES[word[1:]]
            if piece < FIRST[WHITE] or not is_circle(place):
                state.stand(piece, rank, place)
                continue
            free = next(square for square in range(FIRST_CIRCLE) if state.at[square] == EMPTY)
            state.stand(piece, rank, free)
            state.shift(piece, place)
            state.entered[piece] = True
    for piece, shade in enumerate(state.shade):
        if shade is not None:
            state.bind(piece, shade)  # those who stand inside may have been placed after the third
    unused = (piece for piece in range(FIRST[WHITE], PIECES) if state.where[piece] == NOWHERE)
    for piece, rank in zip(unused, SOLDIER * taken[0] + LIEUTENANT * taken[1], strict=False):
        state.rank[piece] = rank
        state.captured.append(piece)
    state.slot = CYCLE.index(SEATS.index(turn)) - 1
    next_turn(state)
    return state
