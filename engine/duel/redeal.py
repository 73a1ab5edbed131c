"""Another state that an observer cannot tell from this one: the means of testing secrecy."""

from collections.abc import Mapping

from engine.duel.army import IMMOBILE
from engine.duel.deployment import sample_deployment
from engine.duel.moves import can_move
from engine.duel.spec import SEATS
from engine.duel.state import OFF, State, copy
from engine.rng import Rng

TRIES = 64


def redeal(state: State, observer: str, rng: Rng) -> State:
    """Deal again the ranks that `observer` (a seat, or `public`) sees only the backs of.

    What is known stays: own pieces, ranks told in fights, scouts that ran, what was captured, and
    that a piece which has moved is neither flag nor bomb. Who can move and who cannot stays too, as
    the game would be over otherwise. Where no such deal is found in a number of tries, the copy is
    as the original.
    """
    seats = [seat for seat in (0, 1) if SEATS[seat] != observer]
    if state.deploying:
        twin = copy(state)  # the others have deployed or not, as long as somebody still has to
        for seat in seats:
            twin.deployed[seat] = None
        for seat in seats:
            if twin.deployed[1 - seat] is None and rng.below(2):
                twin.deployed[seat] = sample_deployment(state, rng)
        return twin
    mobility = can_move(state, 0), can_move(state, 1)
    for _ in range(TRIES):
        twin = copy(state)
        for seat in seats:
            _shuffle(twin, seat, rng)
        if (can_move(twin, 0), can_move(twin, 1)) == mobility:
            return twin
    return copy(state)


def _shuffle(state: State, seat: int, rng: Rng) -> None:
    """Deal a seat's hidden ranks: those that moved take movable ranks first, the rest is free."""
    strength = state.rules.strength
    army = range(seat * strength, (seat + 1) * strength)
    alive = [piece for piece in army if state.square[piece] != OFF]
    hidden = [piece for piece in alive if not state.shown[piece]]
    ranks = [state.rank[piece] for piece in hidden]
    rng.shuffle(ranks)
    dealt = {}
    for piece in sorted(hidden, key=lambda piece: not state.moved[piece]):
        fits = (n for n, rank in enumerate(ranks) if rank not in IMMOBILE)
        dealt[piece] = ranks.pop(next(fits) if state.moved[piece] else 0)
    rerank(state, dealt)


def rerank(state: State, ranks: Mapping[int, str]) -> None:
    """Set the ranks of pieces, as if their seats had set up like this."""
    for piece, rank in ranks.items():
        state.rank[piece] = rank
    strength = state.rules.strength
    for seat in {piece // strength for piece in ranks}:
        army = range(seat * strength, (seat + 1) * strength)
        state.deployed[seat] = "".join(state.rank[piece] for piece in army)
        state.walkers[seat], state.scouts[seat] = [], []
        for piece in army:
            if state.square[piece] != OFF:
                state.muster(piece)
