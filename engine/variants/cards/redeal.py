"""Another state that an observer cannot tell from this one: the means of testing secrecy."""

from collections import defaultdict

from engine.rng import Rng
from engine.variants.cards.deployment import draft_from
from engine.variants.cards.state import GAP, SEATS, TURN, State, copy

TRIES = 64


def redeal(state: State, observer: str, rng: Rng) -> State:
    """Deal again the ranks that `observer` (a seat, or `public`) cannot know.

    These are the order of both piles, and of the others also hand and line. What was told in fights
    and looks stays, so does what a spy saw: the ranks of a hand as a whole, wherever these cards
    have gone since. A seat that has its turn keeps a card that can act, as the game would be over
    otherwise. Where no such deal is found in a number of tries, the copy is as the original.
    """
    for _ in range(TRIES):
        twin = copy(state)
        for seat in (0, 1):
            _shuffle(twin, seat, observer, rng)
        if twin.phase != TURN or not twin.stuck(twin.to_act):
            return _redeal_set_up(twin, observer, rng) if twin.opening else twin
    return copy(state)


def _shuffle(state: State, seat: int, observer: str, rng: Rng) -> None:
    """Exchange ranks among cards that are alike to the observer."""
    alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
    own, other = observer == SEATS[seat], observer == SEATS[1 - seat]
    line = [card for card in state.line[seat] if card != GAP and not own]
    for card in (*state.pile[seat], *(() if own else state.hand[seat]), *line):
        if not state.shown[card] and not (other and state.seen[card]):
            alike[state.peeks[card] if other else ()].append(card)
    for cards in alike.values():
        ranks = [state.rank[card] for card in cards]
        rng.shuffle(ranks)
        for card, rank in zip(cards, ranks, strict=True):
            state.rank[card] = rank


def _redeal_set_up(state: State, observer: str, rng: Rng) -> State:
    """Let the others have chosen their lines or not, as long as somebody still has to."""
    others = [seat for seat in (0, 1) if SEATS[seat] != observer]
    for seat in others:
        state.waiting[seat] = None
    for seat in others:
        if state.waiting[1 - seat] is None and rng.below(2):
            state.waiting[seat] = draft_from(state, seat, rng)
    return state
