"""Step 3: every gap of the line is filled from the hand, as far as the hand reaches (C12)."""

from collections import Counter
from itertools import combinations, permutations

from engine.errors import IllegalAction
from engine.variant import Event
from engine.variants.cards.deal import ranks_of
from engine.variants.cards.deck import RANKS
from engine.variants.cards.notation import fillings
from engine.variants.cards.state import GAP, SEATS, State
from engine.variants.cards.turns import Events, open_attack, proceed


def legal_fills(state: State, seat: int) -> list[str]:
    """List every way to fill the gaps: at most 60 of them."""
    gaps = _gaps(state, seat)
    ranks = ranks_of(state, state.hand[seat])
    count = min(len(gaps), len(ranks))
    orders = dict.fromkeys(permutations(ranks, count))
    return [
        ",".join(f"{slot + 1}={rank}" for slot, rank in zip(slots, order, strict=True))
        for slots in combinations(gaps, count)
        for order in orders
    ]


def fill(state: State, seat: int, text: str) -> Events:
    """Fill the gaps. Raise MalformedAction or IllegalAction, and then changes nothing."""
    chosen = fillings(text)
    _check(state, seat, text, chosen)
    state.ply += 1
    hand = state.hand[seat]
    for slot, rank in chosen.items():
        card = next(card for card in hand if state.rank[card] == rank)
        hand.remove(card)
        state.lay(seat, slot, card)
    # Any cards may have gone from the hand.
    gone = len(chosen)
    counts = Counter(state.certain[seat])
    state.certain[seat] = tuple(rank for rank in counts for _ in range(counts[rank] - gone))
    cards = [state.name[state.line[seat][slot]] for slot in chosen]
    public = {"seat": SEATS[seat], "slots": [slot + 1 for slot in chosen], "cards": cards}
    filled = Event("filled", public, {SEATS[seat]: {"ranks": list(chosen.values())}})
    return (filled, *(open_attack(state) if state.early else proceed(state)))


def _gaps(state: State, seat: int) -> list[int]:
    return [slot for slot, card in enumerate(state.line[seat]) if card == GAP]


def _check(state: State, seat: int, text: str, chosen: dict[int, str]) -> None:
    gaps, hand = _gaps(state, seat), state.hand[seat]
    for slot in chosen:
        if slot not in gaps:
            raise IllegalAction(f"{text}: slot {slot + 1} is no gap", rule="C12")
    held = Counter(state.rank[card] for card in hand)
    for rank, count in Counter(chosen.values()).items():
        if count > held[rank]:
            raise IllegalAction(
                f"{text}: of {rank} ({RANKS[rank]}) there are {held[rank]} in your hand", rule="C12"
            )
    due = min(len(gaps), len(hand))
    if len(chosen) != due:
        raise IllegalAction(f"{text}: {due} gaps are to be filled, not {len(chosen)}", rule="C12")
