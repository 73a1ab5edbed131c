"""Playing a move: what the rules refuse, what a fight does, and when a game is over."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.duel.army import ATTACKER, BOMB, DEFENDER, FLAG, IMMOBILE, NONE, RANKS, SCOUT
from engine.duel.board import EMPTY, LAKE
from engine.duel.endings import BOTH_IMMOBILE, NO_MOVES
from engine.duel.moves import can_move, repeats_chase
from engine.duel.spec import SEATS, SIDES
from engine.duel.state import OFF, State
from engine.errors import IllegalAction, MalformedAction, quoted
from engine.event import Event
from engine.outcome import (
    FLAG_CAPTURED,
    NO_ATTACK_CAP,
    PLY_CAP,
    Result,
    ended,
    resignation,
    resigned,
)

NOTATION = re.compile(r"([a-z])([1-9][0-9]?)([a-z])([1-9][0-9]?)", re.ASCII)

WIN: Final = (
    MappingProxyType({"red": 1.0, "blue": 0.0}),
    MappingProxyType({"red": 0.0, "blue": 1.0}),
)
DRAW: Final[Mapping[str, float]] = MappingProxyType({"red": 0.5, "blue": 0.5})


def play_move(state: State, seat: int, text: str) -> tuple[Event, ...]:
    """Play a move of the seat whose turn it is.

    Raise MalformedAction or IllegalAction, and then changes nothing.
    """
    move = state.rules.board.moves.get(text)
    if move is None:
        raise _not_a_move(state, text)
    start, target, between = move
    reason = _refusal(state, seat, start, target, between) or _barred(state, seat, text)
    if reason is not None:
        raise _illegal(state, reason[0], f"{text}: {reason[1]}")
    piece = state.at[start]
    state.ply += 1
    state.moved[piece] = True
    if state.side[target] == EMPTY:
        events = _walk(state, seat, piece, move)
    else:
        events = (_fight(state, seat, piece, target),)
    _note_series(state, seat, piece, start, target)
    state.to_move = 1 - seat
    if state.result is None:
        state.result = _judge_after(state)
    return events if state.result is None else (*events, ended(state.result))


def resign(state: State, seats: list[str]) -> tuple[Event, ...]:
    """End the game by the will of these seats."""
    state.result = resigned(SIDES, seats)
    return (*(resignation(seat) for seat in seats), ended(state.result))


def judge(state: State) -> Result | None:
    """Look at both players after a ply: who cannot move has lost; then the caps."""
    examined = (0, 1) if state.rules.either_immobile else (state.to_move,)
    stuck = [seat for seat in examined if not can_move(state, seat)]
    if len(stuck) == len(SEATS):
        return Result(DRAW, BOTH_IMMOBILE.word, detail="neither side can move")
    if stuck:
        detail = f"{SEATS[stuck[0]]} has no move left"
        return Result(WIN[1 - stuck[0]], NO_MOVES.word, detail=detail)
    return _capped(state)


def _capped(state: State) -> Result | None:
    rules = state.rules
    if rules.max_plies is not None and state.ply >= rules.max_plies:
        return Result(DRAW, PLY_CAP.word, detail=f"{state.ply} plies were played")
    if rules.no_attack_plies is not None and state.quiet_plies >= rules.no_attack_plies:
        detail = f"{state.quiet_plies} plies went by without an attack"
        return Result(DRAW, NO_ATTACK_CAP.word, detail=detail)
    return None


def _judge_after(state: State) -> Result | None:
    """Judge a ply, without a look at the moves where it can have left nobody without one.

    After a quiet move the mover could step back, and the other's steps are what they were: whether
    a piece can step depends on its own side alone. Bars make it otherwise, and so does a
    reading of the rules by which a player without moves may have been waiting.
    """
    free = not (state.barred[0] or state.barred[1] or state.rules.chase)
    if state.quiet_plies and free and state.rules.either_immobile:
        return _capped(state)
    return judge(state)


def _illegal(state: State, reason: str, message: str) -> IllegalAction:
    return IllegalAction(message, rule=state.rules.spec.sentences.get(reason, ""))


def _not_a_move(state: State, text: str) -> Exception:
    """Return what to raise: a set-up and a crooked move are illegal, other text is malformed."""
    if len(text) == state.rules.strength and RANKS.keys() >= set(text):
        return _illegal(state, "home", "the armies have been set up already")
    names = state.rules.board.index
    match = NOTATION.fullmatch(text)
    if match is None or not {match[1] + match[2], match[3] + match[4]} <= names.keys():
        return MalformedAction(f"{quoted(text)} is not a move such as a4a5 on this board")
    return _illegal(state, "step", f"{text}: a piece moves along a file or a rank")


def _barred(state: State, seat: int, text: str) -> tuple[str, str] | None:
    """Return the reason and the words of what forbids a move because of those before it."""
    if text in state.barred[seat]:
        return "shuttle", "the piece has gone back and forth between these squares too often"
    if state.rules.chase and repeats_chase(state, seat, text):
        return "chase", "the chase would come back to a position that it has already had"
    return None


def _refusal(
    state: State, seat: int, start: int, target: int, between: tuple[int, ...]
) -> tuple[str, str] | None:
    """Return the reason and the words of what forbids a straight move, by geometry alone."""
    names, piece = state.rules.board.names, state.at[start]
    if state.side[start] != seat:
        return "own", f"no piece of yours stands on {names[start]}"
    if state.rank[piece] in IMMOBILE:
        return "immobile", "flag and bombs stay where they are"
    if state.side[target] == seat:
        return "occupied", f"your own piece stands on {names[target]}"
    if state.side[target] == LAKE:
        return "lake", f"{names[target]} is a lake"
    return _far_refusal(state, piece, target, between) if between else None


def _far_refusal(
    state: State, piece: int, target: int, between: tuple[int, ...]
) -> tuple[str, str] | None:
    if state.rank[piece] != SCOUT:
        strikes = state.side[target] != EMPTY
        return "far_strike" if strikes else "step", "only scouts go further than one square"
    for square in between:
        if state.side[square] == LAKE:
            return "lake", "a lake lies in between"
        if state.side[square] != EMPTY:
            return "path", f"a piece on {state.rules.board.names[square]} is in the way"
    if state.side[target] != EMPTY and not state.rules.far_strike:
        return "run_strike", "a scout may not run and strike in one turn"
    return None


def _walk(
    state: State, seat: int, piece: int, move: tuple[int, int, tuple[int, ...]]
) -> tuple[Event, ...]:
    start, target, between = move
    state.lift(piece, seat)
    state.put(piece, seat, target)
    state.quiet_plies += 1
    names, label = state.rules.board.names, state.rules.ids[piece]
    if state.rules.chase:
        threatens = frozenset(
            state.at[square]
            for square in state.rules.board.neighbours[target]
            if state.side[square] == 1 - seat
        )
        state.hunts[1 - seat].note_reply(piece)
        state.hunts[seat].note_own_move(tuple(state.square), threatens)
    moved = Event(
        "moved", {"seat": SEATS[seat], "piece": label, "from": names[start], "to": names[target]}
    )
    if not between or (state.shown[piece] and not state.rules.forget):
        return (moved,)
    state.shown[piece] = True
    return (moved, Event("revealed", {"seat": SEATS[seat], "piece": label, "rank": SCOUT}))


def _remove(state: State, piece: int, seat: int) -> None:
    state.lift(piece, seat)
    state.captured.append(piece)
    state.dismiss(piece)


def _fight(state: State, seat: int, piece: int, target: int) -> Event:
    rules, other, start = state.rules, state.at[target], state.square[piece]
    ranks = state.rank[piece], state.rank[other]
    winner = rules.fights[ranks[0] + ranks[1]]
    if winner != ATTACKER:
        _remove(state, piece, seat)
    if winner != DEFENDER:
        _remove(state, other, 1 - seat)
    if winner == ATTACKER:
        state.lift(piece, seat)
        state.put(piece, seat, target)
    state.shown[piece] = state.shown[other] = True
    state.quiet_plies = 0
    if ranks[1] == FLAG:
        detail = f"{SEATS[seat]} captured the flag on {rules.board.names[target]}"
        state.result = Result(WIN[seat], FLAG_CAPTURED.word, detail=detail)
    facts: dict[str, Any] = {
        "seat": SEATS[seat],
        "from": rules.board.names[start],
        "to": rules.board.names[target],
        "attacker": {"id": rules.ids[piece], "rank": ranks[0]},
        "defender": {"id": rules.ids[other], "rank": ranks[1]},
        "winner": winner,
        "boom": ranks[1] == BOMB and winner in (DEFENDER, NONE),
    }
    return Event("fought", facts)


def _note_series(state: State, seat: int, piece: int, start: int, target: int) -> None:
    """Count moves to and fro: per seat, and only while the very same piece keeps at it."""
    limit = state.rules.shuttle_limit
    last_piece, last_from, last_to, count = state.series[seat]
    same = last_piece == piece and target in _track(state, last_to, last_from)
    count = count + 1 if same else 1
    state.series[seat] = (piece, start, target, count)
    state.barred[seat] = ()
    if limit is not None and count >= limit:
        names = state.rules.board.names
        state.barred[seat] = tuple(
            names[target] + names[square] for square in _track(state, target, start)
        )


def _track(state: State, start: int, target: int) -> tuple[int, ...]:
    """Return the squares that continue a series: where the piece came from, or all on the way."""
    if not state.rules.shuttle_path or start == OFF:
        return (target,)
    names = state.rules.board.names
    return (*state.rules.board.moves[names[start] + names[target]][2], target)
