"""Chance and cards: shuffling, drawing, and mixing everything again.

All of it comes from the game's own rng_seed, by seat. Every game of a match has its own, so nobody
can learn the decks of one game from another.
"""

from typing import Any

from engine.rng import Rng
from engine.variant import Event, Options
from engine.variants.cards.deck import ORDER
from engine.variants.cards.options import rules_of
from engine.variants.cards.state import GAP, HAND, SEATS, SLOTS, State


def begin(options: Options, rng_seed: int) -> State:
    """Shuffle both decks and take the top eight cards of each (sentence C4)."""
    state = State(rules_of(options), rng_seed)
    size = len(state.rules.cards)
    for seat, name in enumerate(SEATS):
        state.pile[seat] = list(range(seat * size, (seat + 1) * size))
        _shuffle(state, seat, Rng(rng_seed, f"deck of {name}"))
        draw(state, seat, SLOTS + HAND)
    return state


def draw(state: State, seat: int, hand: int) -> list[int]:
    """Take cards from the top of the pile up to a number in the hand, or until it is empty."""
    pile, drawn = state.pile[seat], []
    while pile and len(state.hand[seat]) < hand:
        drawn.append(pile.pop())
        state.hand[seat].append(drawn[-1])
    return drawn


def told_draw(state: State, seat: int) -> tuple[Event, ...]:
    """Fill up a hand as a turn begins (sentence C10); only its owner hears which cards came."""
    drawn = draw(state, seat, HAND)
    if not drawn:
        return ()
    public = {"seat": SEATS[seat], "count": len(drawn)}
    return (Event("drew", public, {SEATS[seat]: {"ranks": ranks_of(state, drawn)}}),)


def mix(state: State, seat: int) -> Event:
    """Mix line, hand and pile and deal eight cards, after the flag was shown (sentence C21).

    What was known of these cards is known no more (C23): they are other cards from now on.
    """
    cards = state.cards_of(seat)
    state.line[seat], state.hand[seat], state.pile[seat] = [GAP] * SLOTS, [], cards
    for card in cards:
        state.name[card], state.peeks[card] = "", ()
        state.shown[card] = state.seen[card] = False
    state.certain[seat] = ()
    state.tricks[seat] += 1
    label = f"flag trick {state.tricks[seat]} of {SEATS[seat]}"
    _shuffle(state, seat, Rng(state.rng_seed, label))
    dealt = draw(state, seat, SLOTS + HAND)
    public: dict[str, Any] = {
        "seat": SEATS[seat],
        "count": len(dealt),
        "pile": len(state.pile[seat]),
    }
    return Event("redealt", public, {SEATS[seat]: {"ranks": ranks_of(state, dealt)}})


def ranks_of(state: State, cards: list[int]) -> list[str]:
    """Return the ranks of some cards in the order of the ranks, which tells no other order."""
    return sorted((state.rank[card] for card in cards), key=ORDER.index)


def _shuffle(state: State, seat: int, rng: Rng) -> None:
    """Put a pile into an order that depends on the chance and on which ranks are in it alone."""
    pile = sorted(state.pile[seat])
    ranks = ranks_of(state, pile)
    rng.shuffle(ranks)
    for card, rank in zip(pile, ranks, strict=True):
        state.rank[card] = rank
    state.pile[seat] = pile
