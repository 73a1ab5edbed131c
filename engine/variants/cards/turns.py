"""The order of a turn: draw, look who can attack, act, fill; and when a game is over."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.outcome import NO_ATTACK_CAP, Result, ended, resignation, resigned
from engine.variant import Event
from engine.variants.cards.deal import told_draw
from engine.variants.cards.endings import NO_ATTACKERS, TURN_CAP
from engine.variants.cards.state import CHAIN, FILL, GAP, OVER, SEATS, SLOTS, TURN, State

WIN = (
    MappingProxyType({"red": 1.0, "blue": 0.0}),
    MappingProxyType({"red": 0.0, "blue": 1.0}),
)
DRAW: Mapping[str, float] = MappingProxyType({"red": 0.5, "blue": 0.5})
SIDES = MappingProxyType({seat: (seat,) for seat in SEATS})
Events = tuple[Event, ...]


def start_turn(state: State, seat: int) -> Events:
    """Begin a turn: draw (C10), and attack unless gaps are to be filled first."""
    state.mover, state.fought, state.chain = seat, False, GAP
    counters = {"turn": state.turns, "no_fight_turns": state.quiet_turns}
    began = Event("began", {"seat": SEATS[seat], **counters})
    drawn = (began, *told_draw(state, seat))
    if state.rules.fills_first and state.can_fill(seat):
        state.early = True
        ask(state, FILL, seat)
        return drawn
    return (*drawn, *open_attack(state))


def open_attack(state: State) -> Events:
    """Come to step 2: who has only bombs and the flag in line has lost (C25)."""
    state.early = False
    seat = state.mover
    if state.stuck(seat):
        detail = f"{SEATS[seat]} has no card in line that can attack"
        return end(state, Result(WIN[1 - seat], NO_ATTACKERS.word, detail=detail))
    ask(state, TURN, seat)
    return ()


def proceed(state: State) -> Events:
    """Go on after an action: to a filling that is due, to another attack, or to the next turn."""
    mover, other = state.mover, 1 - state.mover
    if state.rules.fills_at_once and state.can_fill(other):
        ask(state, FILL, other)
        return ()
    if state.chain != GAP and state.line[other] != [GAP] * SLOTS:
        ask(state, CHAIN, mover)
        return ()
    if state.can_fill(mover):
        ask(state, FILL, mover)
        return ()
    return end_turn(state)


def end_turn(state: State) -> Events:
    """Count the turn and pass it on, unless a cap ends the game (house rules CX1 and CX2)."""
    rules = state.rules
    state.turns += 1
    state.quiet_turns = 0 if state.fought else state.quiet_turns + 1
    if rules.max_turns is not None and state.turns >= rules.max_turns:
        detail = f"{state.turns} turns were played"
        return end(state, Result(DRAW, TURN_CAP.word, detail=detail))
    if rules.no_fight_turns is not None and state.quiet_turns >= rules.no_fight_turns:
        detail = f"{state.quiet_turns} turns in a row went by without a fight"
        return end(state, Result(DRAW, NO_ATTACK_CAP.word, detail=detail))
    return start_turn(state, 1 - state.mover)


def ask(state: State, phase: str, seat: int) -> None:
    """Set who is asked for what."""
    state.phase, state.to_act = phase, seat


def end(state: State, result: Result) -> Events:
    """End the game and tell of it."""
    state.phase, state.result = OVER, result
    return (ended(result),)


def resign(state: State, seats: list[str]) -> Events:
    """End the game by the will of these seats."""
    return (*map(resignation, seats), *end(state, resigned(SIDES, seats)))
