"""The one door from a state to an observer: everything shown anywhere comes through here."""

from collections import Counter
from typing import Any

from engine.variant import FULL, Hidden, View
from engine.variants.cards.deal import ranks_of
from engine.variants.cards.state import CHAIN, GAP, OVER, SEATS, State

NAME = "cards@1"


def asked(state: State) -> tuple[str, ...]:
    """Name the seats that owe an action."""
    if state.phase == OVER:
        return ()
    if state.opening:
        return tuple(SEATS[seat] for seat in (0, 1) if state.waiting[seat] is None)
    return (SEATS[state.to_act],)


def view(state: State, observer: str) -> View:
    """Show the game to `red`, `blue`, `public` (what every seat knows) or `full`.

    While both seats choose their first line, `to_act` names both whatever has come in, and no card
    has moved, so that nothing tells when an answer came.
    """
    rules, hides = state.rules, state.opening and observer != FULL
    return {
        "variant": NAME,
        "observer": observer,
        "phase": state.phase,
        "ply": state.ply,
        "to_act": list(SEATS if hides else asked(state)),
        "turn": state.turns,
        "no_fight_turns": state.quiet_turns,
        "deck": dict(rules.deck),
        "seats": {name: _seat(state, seat, observer) for seat, name in enumerate(SEATS)},
        "removed": [
            {
                "id": state.name[card],
                "seat": SEATS[state.owner(card)],
                "rank": state.rank[card],
            }
            for card in state.removed
        ],
        "again": state.chain + 1 if state.phase == CHAIN else None,
        "limits": {"max_turns": rules.max_turns, "no_fight_turns": rules.no_fight_turns},
    }


def hidden(view: View) -> Hidden:
    """Return the cards without a rank in the lines of a view, with what is unseen of their deck.

    Cards of a hand or a pile have no names.
    """
    seen = Counter((gone["seat"], gone["rank"]) for gone in view["removed"])
    for seat, shown in view["seats"].items():
        seen.update((seat, card["rank"]) for card in shown["line"] if card)
        seen.update((seat, rank) for rank in shown["hand"])
    return {
        card["id"]: {rank: count - seen[seat, rank] for rank, count in view["deck"].items()}
        for seat, shown in view["seats"].items()
        for card in shown["line"]
        if card and card["rank"] is None
    }


def _seat(state: State, seat: int, observer: str) -> dict[str, Any]:
    own = observer in (SEATS[seat], FULL)
    looks = observer == SEATS[1 - seat]
    pile = state.pile[seat]
    return {
        "line": [_card(state, card, own=own, looks=looks) for card in state.line[seat]],
        "hand": _hand(state, seat, own=own, looks=looks),
        "pile": len(pile),
        "pile_order": [state.rank[card] for card in reversed(pile)] if observer == FULL else None,
    }


def _card(state: State, card: int, *, own: bool, looks: bool) -> dict[str, Any] | None:
    """Show a card of a line; `looks` is for who knows what its scouts have seen."""
    if card == GAP:
        return None
    known = own or state.shown[card] or (looks and state.seen[card])
    return {
        "id": state.name[card],
        "rank": state.rank[card] if known else None,
        "revealed": state.shown[card],
        "seen": state.seen[card],
    }


def _hand(state: State, seat: int, *, own: bool, looks: bool) -> list[str | None]:
    """Show a hand in the order of the ranks; what is not known for certain comes last, as None."""
    hand = state.hand[seat]
    if own:
        return list(ranks_of(state, hand))
    certain = state.certain[seat] if looks else ()
    return [*certain, *[None] * (len(hand) - len(certain))]
