"""Choosing a line: five of the eight cards just dealt, at the start and after a flag trick."""

from collections import Counter

from engine.errors import IllegalAction, IllegalDeployment, quoted
from engine.outcome import RESIGN
from engine.rng import Rng
from engine.variant import Event, View
from engine.variants.cards.deck import ORDER, RANKS
from engine.variants.cards.notation import out_of_step
from engine.variants.cards.state import SEATS, SLOTS, State
from engine.variants.cards.turns import Events, proceed, resign, start_turn


def deploy(state: State, seat: int, text: str) -> Events:
    """Take one seat's line, such as `M5322`; at the start nothing is told before both are there.

    At the start a seat may resign instead, which waits for the other seat as well.

    Raise MalformedAction, IllegalDeployment, or IllegalAction where the seat has deployed already.
    """
    if not state.opening:
        _check(state, seat, text)
        state.ply += 1
        return (_lay_out(state, seat, text), *proceed(state))
    if state.waiting[seat] is not None:
        raise IllegalAction(f"{SEATS[seat]} has already chosen its line", rule="C5")
    if text != RESIGN:
        _check(state, seat, text)
    state.waiting[seat] = text
    if None in state.waiting:
        return ()
    if RESIGN in state.waiting:
        return resign(state, [SEATS[at] for at in (0, 1) if state.waiting[at] == RESIGN])
    laid = [_lay_out(state, at, str(line)) for at, line in enumerate(state.waiting)]
    return (*laid, *start_turn(state, 0))


def draft(view: View, rng: Rng) -> str:
    """Choose a random line from the hand that a seat sees."""
    ranks = list(view["seats"][view["observer"]]["hand"])
    rng.shuffle(ranks)
    return "".join(ranks[:SLOTS])


def draft_from(state: State, seat: int, rng: Rng) -> str:
    """Choose a random line for a seat, whatever it is asked for."""
    ranks = [state.rank[card] for card in state.hand[seat]]
    rng.shuffle(ranks)
    return "".join(ranks[:SLOTS])


def _check(state: State, seat: int, text: str) -> None:
    if not text or set(text) - RANKS.keys():
        like = f"a line such as M5322: a rank code of {ORDER} for each slot"
        raise out_of_step(text, like, "choose your line", "C5" if state.opening else "C22")
    dealt = Counter(state.rank[card] for card in state.hand[seat])
    wanted = min(SLOTS, len(state.hand[seat]))
    rule = "C5" if state.opening else "C21"
    if len(text) != wanted:
        raise IllegalDeployment(
            f"{quoted(text)}: {wanted} cards go into the line, not {len(text)}", rule=rule
        )
    lacking = Counter(text) - dealt
    for rank in lacking:
        words = f"of {rank} ({RANKS[rank]}) you were dealt {dealt[rank]}, not {text.count(rank)}"
        raise IllegalDeployment(f"{text}: {words}", rule=rule)


def _lay_out(state: State, seat: int, text: str) -> Event:
    hand = state.hand[seat]
    for slot, rank in enumerate(text):
        card = next(card for card in hand if state.rank[card] == rank)
        hand.remove(card)
        state.lay(seat, slot, card)
    cards = [state.name[state.line[seat][slot]] for slot in range(len(text))]
    public = {"seat": SEATS[seat], "cards": cards}
    return Event("deployed", public, {SEATS[seat]: {"deployment": text}})
