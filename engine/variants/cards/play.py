"""Step 2 of a turn: the attack, or what counts as one."""

from functools import cache

from engine.errors import IllegalAction
from engine.outcome import FLAG_CAPTURED, Result
from engine.variant import Event
from engine.variants.cards.deal import mix, ranks_of
from engine.variants.cards.deck import (
    ATTACKER,
    BOMB,
    DEFENDER,
    FIGHTS,
    FLAG,
    IMMOBILE,
    RANKS,
    SCOUT,
    SPY,
)
from engine.variants.cards.notation import ATTACKS, LOOKS, PEEKS, STOP, TRICKS, taken_apart
from engine.variants.cards.state import CHAIN, DEPLOY, GAP, SEATS, State
from engine.variants.cards.turns import WIN, Events, ask, end, proceed

SHOWS = {"s": (SPY, "C18"), "l": (SCOUT, "C18b"), "f": (FLAG, "C21")}


def legal_actions(state: State, seat: int) -> list[str]:
    """List the actions of step 2: attacks and looks by own slot, or what may follow a win."""
    occupied = tuple([slot for slot, card in enumerate(state.line[1 - seat]) if card != GAP])
    if state.phase == CHAIN:
        return [*(ATTACKS[state.chain][slot] for slot in occupied), STOP]
    line, rank = state.line[seat], state.rank
    return [
        action
        for slot, card in enumerate(line)
        if card != GAP
        for action in _actions_of(rank[card], slot, occupied)
    ]


@cache
def _actions_of(rank: str, slot: int, occupied: tuple[int, ...]) -> tuple[str, ...]:
    """Return what a card in an own slot may do to an enemy line with these slots occupied."""
    attacks = () if rank in IMMOBILE else tuple(ATTACKS[slot][target] for target in occupied)
    shows = {SPY: (PEEKS[slot],), SCOUT: LOOKS.get((slot, occupied), ()), FLAG: (TRICKS[slot],)}
    return attacks + shows.get(rank, ())


def play(state: State, seat: int, text: str) -> Events:
    """Play an action of step 2.

    Raise MalformedAction or IllegalAction, and then changes nothing.
    """
    if state.phase == CHAIN and text == STOP:
        state.ply += 1
        state.chain = GAP
        return (Event("stopped", {"seat": SEATS[seat]}), *proceed(state))
    slot, kind, targets = taken_apart(text)
    _check(state, seat, text, slot, kind)
    rule = "C18b" if kind == "l" else "C11"
    enemy = state.line[1 - seat]
    for target in targets:
        if enemy[target] == GAP:
            raise IllegalAction(f"{text}: the enemy's slot {target + 1} is empty", rule=rule)
    due = min(2, sum(card != GAP for card in enemy))
    if kind == "l" and len(targets) != due:
        raise IllegalAction(f"{text}: a scout looks at two cards of the line", rule=rule)
    state.ply += 1
    if kind == "x":
        return _attack(state, seat, slot, targets[0])
    card = state.line[seat][slot]
    state.shown[card] = True
    shown = {"seat": SEATS[seat], "from": place(seat, slot), "card": state.name[card]}
    shown |= {"rank": state.rank[card], "action": text}
    turned = Event("revealed", shown)
    if kind == "f":
        ask(state, DEPLOY, seat)
        return (turned, mix(state, seat))
    looked = [_peek(state, seat)] if kind == "s" else _look(state, seat, targets)
    return (turned, *looked, *proceed(state))


def place(seat: int, slot: int) -> str:
    """Name a slot of a line as pictures do: `r1` to `r5`, `b1` to `b5`."""
    return f"{SEATS[seat][0]}{slot + 1}"


def _check(state: State, seat: int, text: str, slot: int, kind: str) -> None:
    """Hold that the card in an own slot may do this."""
    card = state.line[seat][slot]
    if card == GAP:
        raise IllegalAction(f"{text}: your slot {slot + 1} is empty", rule="C11")
    rank = state.rank[card]
    if state.phase == CHAIN and (kind != "x" or slot != state.chain):
        only = f"only the card in slot {state.chain + 1} may attack again, or stop"
        raise IllegalAction(f"{text}: {only}", rule="CE4")
    if kind == "x" and rank in IMMOBILE:
        raise IllegalAction(f"{text}: a {RANKS[rank]} cannot attack", rule="C19c")
    if kind != "x" and rank != SHOWS[kind][0]:
        needed, rule = SHOWS[kind]
        raise IllegalAction(f"{text}: there is no {RANKS[needed]} in slot {slot + 1}", rule=rule)


def _attack(state: State, seat: int, slot: int, target: int) -> Events:
    own, other = state.line[seat], state.line[1 - seat]
    attacker, defender = own[slot], other[target]
    ranks = state.rank[attacker], state.rank[defender]
    winner = FIGHTS[ranks[0] + ranks[1]]
    state.shown[attacker] = state.shown[defender] = state.fought = True
    if winner != ATTACKER:
        own[slot] = GAP
        state.removed.append(attacker)
    if winner != DEFENDER:
        other[target] = GAP
        state.removed.append(defender)
    facts = {
        "seat": SEATS[seat],
        "from": place(seat, slot),
        "to": place(1 - seat, target),
        "attacker": {"id": state.name[attacker], "rank": ranks[0]},
        "defender": {"id": state.name[defender], "rank": ranks[1]},
        "winner": winner,
        "boom": ranks[1] == BOMB and winner == DEFENDER,
    }
    fought = Event("fought", facts)
    if ranks[1] == FLAG:
        detail = f"{SEATS[seat]} captured the flag in slot {target + 1}"
        return (fought, *end(state, Result(WIN[seat], FLAG_CAPTURED.word, detail=detail)))
    state.chain = slot if state.rules.chains and winner == ATTACKER else GAP
    return (fought, *proceed(state))


def _peek(state: State, seat: int) -> Event:
    """Let a spy see the enemy's hand (C18); which of these cards comes into line is not seen."""
    other = 1 - seat
    state.looks += 1
    for card in state.hand[other]:
        state.peeks[card] = (*state.peeks[card], state.looks)
    ranks = ranks_of(state, state.hand[other])
    state.certain[other] = tuple(ranks)
    public = {"seat": SEATS[seat], "count": len(ranks)}
    return Event("peeked", public, {SEATS[seat]: {"ranks": ranks}})


def _look(state: State, seat: int, targets: tuple[int, ...]) -> list[Event]:
    """Let a scout see cards of the enemy's line (C18b); everybody sees which slots."""
    events = []
    for target in targets:
        card = state.line[1 - seat][target]
        state.seen[card] = True
        public = {"seat": SEATS[seat], "to": place(1 - seat, target), "card": state.name[card]}
        events.append(Event("looked", public, {SEATS[seat]: {"rank": state.rank[card]}}))
    return events
