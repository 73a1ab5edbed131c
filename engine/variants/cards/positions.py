"""A table set up card by card: for the pictures of the rule page, and for tests."""

from collections import Counter

from engine.variants.cards.options import OPTIONS, rules_of
from engine.variants.cards.state import SEATS, TURN, State

Cards = tuple[str, str, str]  # line with `.` for a gap, hand, pile from its top


def position(red: Cards, blue: Cards, *, to_move: str = "red", **options: object) -> State:
    """Lay out lines, hands and piles; all other cards of the decks are out of the game.

    The seat to move has drawn and is asked to attack. Raise ValueError where a deck has no such
    cards.
    """
    rules = rules_of({key: option.default for key, option in OPTIONS.items()} | options)
    state = State(rules, 0)
    state.waiting = ["", ""]
    state.phase = TURN
    state.mover = state.to_act = SEATS.index(to_move)
    for seat, cards in enumerate((red, blue)):
        _lay_out(state, seat, *cards)
    return state


def _lay_out(state: State, seat: int, line: str, hand: str, pile: str) -> None:
    first = seat * len(state.rules.cards)
    ranks = [rank for rank in line + hand + pile if rank != "."]
    gone = Counter(state.rules.deck)
    gone.subtract(ranks)
    if min(gone.values()) < 0:
        raise ValueError(f"no deck has all of {''.join(ranks)}")
    ranks += gone.elements()
    cards = iter(range(first, first + len(ranks)))
    state.rank[first : first + len(ranks)] = ranks
    for slot, rank in enumerate(line):
        if rank != ".":
            state.lay(seat, slot, next(cards))
    state.hand[seat] = [next(cards) for _ in hand]
    state.pile[seat] = [next(cards) for _ in pile][::-1]
    for number, card in enumerate(cards):
        state.name[card] = f"{SEATS[seat][0]}{100 + number}"
        state.removed.append(card)
