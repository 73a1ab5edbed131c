"""The referee: asks the seats, holds the clocks, judges every answer, writes the record.

It does no I/O and reads no clock; the table carries the lines and says what each answer cost.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil, floor
from typing import Any, TypeVar

from engine.clock import ClockSpec, SeatClock
from engine.errors import EngineError, MalformedAction, quoted
from engine.outcome import Result, Termination
from engine.protocol import (
    Act,
    Answer,
    Ask,
    BadMessage,
    Failure,
    Ready,
    Table,
    act_message,
    end_message,
    parse_act,
    parse_ready,
    start_message,
)
from engine.record import FORMAT, Played, PlayerId, Record, forfeit_points, sealed
from engine.registry import resolve_options
from engine.remarks import BadBelief, Belief, Remark, check_belief
from engine.rng import seat_seed
from engine.variant import Event, Variant
from engine.version import VERSION

S = TypeVar("S")
M = TypeVar("M", Ready, Act)

KEYS_NAMED = 5  # of the keys that a bot should not have sent


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Why a seat has lost by its own fault."""

    termination: Termination
    detail: str


@dataclass(slots=True)
class _SeatState:
    """One seat during the game."""

    clock: SeatClock
    ready: Ready = field(default_factory=Ready)
    has_view: bool = False
    warned: bool = False
    warned_of_belief: bool = False
    used_ms: float = 0.0
    pending_events: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class _Game:
    variant: Variant[Any]
    state: Any
    table: Table
    seats: dict[str, _SeatState]
    keep: Callable[[Remark], None]
    started_ms: dict[str, int] = field(default_factory=dict)
    actions: list[Played] = field(default_factory=list)
    forfeits: dict[str, Forfeit] = field(default_factory=dict)


def play(  # noqa: PLR0913 - everything that a record states, by keyword
    variant: Variant[Any],
    *,
    options: Mapping[str, Any],
    rng_seed: int,
    game: str,
    players: Mapping[str, PlayerId],
    clock: ClockSpec,
    table: Table,
    isolation: str,
    progress: Callable[[int], None] | None = None,
    keep: Callable[[Remark], None] = lambda _said: None,
    actions: list[Played] | None = None,
) -> Record:
    """Play one game to its end and give its record. The table stays open; its owner closes it.

    `game` is a nonce. `progress` is called with the ply after every action, `keep` with what a seat
    said beside an action, which is for its owner only. `actions` is an empty list, which gets each
    action as soon as it is applied. Whatever a bot does ends in a result; PlatformFault (the
    table's) and UnknownOption pass through.
    """
    chosen = resolve_options(variant, options)
    sittings = {seat: _SeatState(SeatClock.full(clock)) for seat in variant.seats}
    under_way = _Game(variant, variant.begin(chosen, rng_seed), table, sittings, keep)
    if actions is not None:
        under_way.actions = actions
    head: dict[str, Any] = {
        "variant": variant.name,
        "options": chosen,
        "rng_seed": rng_seed,
        "game": game,
    }
    result = _start(under_way, head, clock) or _run(under_way, progress)
    _tell_end(under_way, result)
    return sealed(
        Record(
            format=FORMAT,
            engine=VERSION,
            players=dict(players),
            clock={
                **clock.as_json(),
                "basis": table.clock_basis,
                "startup_used_ms": under_way.started_ms,
            },
            isolation=isolation,
            actions=tuple(under_way.actions),
            result=result,
            **head,
        )
    )


def _tell_end(game: _Game, result: Result) -> None:
    for seat in game.variant.seats:
        own = game.forfeits.get(seat)
        line = end_message(
            outcome=result.points,
            termination=str(result.termination),
            fault=result.fault,
            detail=own.detail if own else None,
            events=game.seats[seat].pending_events,
            view=game.variant.view(game.state, seat),
        )
        game.table.tell(seat, line)


def _start(game: _Game, head: Mapping[str, Any], clock: ClockSpec) -> Result | None:
    asks, table = {}, game.table
    clock_words: dict[str, int | str] = {**clock.as_json(), "basis": table.clock_basis}
    for seat in game.variant.seats:
        own = {**head, "rng_seed": seat_seed(head["rng_seed"], seat)}
        start = start_message(seat=seat, clock=clock_words, limits=table.limits(seat), **own)
        asks[seat] = Ask(start, float(clock.startup_ms), starting=True)
    answers = table.ask(asks)
    for seat, ask in asks.items():
        game.started_ms[seat] = round(answers[seat].charged_ms)
        ready = _parse(game, seat, answers[seat], ask, parse_ready)
        if isinstance(ready, Forfeit):
            game.forfeits[seat] = ready
        else:
            game.seats[seat].ready = ready
            _log(game, seat, ready)
    return _forfeit(game)


def _log(game: _Game, seat: str, message: Ready | Act) -> None:
    """Write to the owner's log: the bot's own name, and one warning about unknown keys."""
    if isinstance(message, Ready) and (message.name or message.version):
        names = f"{message.name!r}, version {message.version!r}"
        game.table.note(seat, f"the bot calls itself {names}")
    if message.unknown and not game.seats[seat].warned:
        game.seats[seat].warned = True
        named = ", ".join(map(quoted, message.unknown[:KEYS_NAMED]))
        game.table.note(seat, f"warning: the arena ignores keys that it does not know: {named}")


def _run(game: _Game, progress: Callable[[int], None] | None) -> Result:
    variant, state = game.variant, game.state
    while (result := variant.result(state)) is None:
        forfeit = _turn(game, variant.asked(state))
        if forfeit is not None:
            return forfeit
        if progress is not None:
            progress(variant.ply(state))
    return result


def _turn(game: _Game, seats: tuple[str, ...]) -> Result | None:
    """Ask everybody who owes an action at once; no action is applied before all have answered."""
    asks = {seat: _ask(game, seat) for seat in seats}
    answers = game.table.ask(asks)
    for seat in seats:
        answer = answers[seat]
        seat_state = game.seats[seat]
        seat_state.clock.charge(answer.charged_ms)
        seat_state.used_ms = answer.charged_ms
        act = _parse(game, seat, answer, asks[seat], parse_act)
        forfeit = act if isinstance(act, Forfeit) else _apply(game, seat, act, answer.charged_ms)
        if forfeit is not None:
            game.forfeits[seat] = forfeit
    return _forfeit(game)


def _ask(game: _Game, seat: str) -> Ask:
    seat_state = game.seats[seat]
    wants = seat_state.ready
    legal = game.variant.legal(game.state, seat) if wants.legal else None
    line = act_message(
        view=game.variant.view(game.state, seat),
        events=seat_state.pending_events,
        legal=legal,
        bank_ms=seat_state.clock.bank_ms,
        used_ms=seat_state.used_ms,
        with_view=wants.view == "full" or not seat_state.has_view,
    )
    seat_state.has_view = True
    seat_state.pending_events = []
    return Ask(line, seat_state.clock.allowance_ms())


def parse_answer(answer: Answer | Failure, ask: Ask, parse: Callable[[bytes], M]) -> M | Forfeit:
    """Read an answer, unless it failed, cost more than was allowed, or is not what is due."""
    if isinstance(answer, Failure):
        return Forfeit(Termination(answer.fault), answer.detail)
    if answer.charged_ms > ask.allowance_ms:
        late = Termination.STARTUP_TIMEOUT if ask.starting else Termination.TIMEOUT
        spent, had = ceil(answer.charged_ms), floor(ask.allowance_ms)
        return Forfeit(late, f"the answer took {spent} ms and {had} ms were left")
    try:
        return parse(answer.line)
    except BadMessage as problem:
        return Forfeit(Termination.PROTOCOL_ERROR, str(problem))


def _parse(
    game: _Game, seat: str, answer: Answer | Failure, ask: Ask, parse: Callable[[bytes], M]
) -> M | Forfeit:
    """Read an answer, and quote a line that breaks the protocol in the owner's log."""
    parsed = parse_answer(answer, ask, parse)
    broken = isinstance(parsed, Forfeit) and parsed.termination == Termination.PROTOCOL_ERROR
    if broken and isinstance(answer, Answer):
        line = answer.line.decode(errors="replace")
        game.table.note(seat, f"the line that the arena did not accept: {quoted(line)}")
    return parsed


def apply_action(
    variant: Variant[S], state: S, seat: str, action: str
) -> tuple[Event, ...] | Forfeit:
    """Do what a seat asks, in the state; where the rules refuse it, the state is as before."""
    deploying = variant.phase(state) == "deploy"
    try:
        return variant.apply(state, seat, action)
    except EngineError as problem:
        illegal = Termination.ILLEGAL_DEPLOYMENT if deploying else Termination.ILLEGAL_ACTION
        kind = "malformed" if isinstance(problem, MalformedAction) else "illegal"
        rule = getattr(problem, "rule", "")
        return Forfeit(illegal, f"{kind}: {problem}" + (f" (rule {rule})" if rule else ""))


def _apply(game: _Game, seat: str, act: Act, charged_ms: float) -> Forfeit | None:
    _log(game, seat, act)
    belief = _belief(game, seat, act)
    events = apply_action(game.variant, game.state, seat, act.action)
    if isinstance(events, Forfeit):
        return events
    game.actions.append(Played(seat, act.action, round(charged_ms)))
    if act.note or belief:
        game.keep(Remark(seat, game.variant.ply(game.state), act.note, belief))
    for event in events:
        for hearer, seat_state in game.seats.items():
            seat_state.pending_events.append(event.seen_by(hearer))
    return None


def _belief(game: _Game, seat: str, act: Act) -> Belief | None:
    """Return the belief of an answer, or None and one warning in the owner's log if it is bad."""
    if act.belief is None:
        return None
    try:
        return check_belief(game.variant, game.variant.view(game.state, seat), act.belief)
    except BadBelief as problem:
        if not game.seats[seat].warned_of_belief:
            game.seats[seat].warned_of_belief = True
            game.table.note(seat, f"warning: the arena drops a belief: {problem}")
    return None


def _forfeit(game: _Game) -> Result | None:
    """Score a fault: nothing for a side that failed, all for the others."""
    variant, forfeits = game.variant, game.forfeits
    if not forfeits:
        return None
    first = next(iter(forfeits))
    details = (
        f"{seat}: {_of_one_seat(variant, forfeit.detail)}" for seat, forfeit in forfeits.items()
    )
    points = forfeit_points(variant, forfeits)
    return Result(points, forfeits[first].termination, fault=first, detail="; ".join(details))


def _of_one_seat(variant: Variant[Any], detail: str) -> str:
    """Keep what a bot said, quoted in a detail, from reading as if another seat had failed too."""
    for seat in variant.seats:
        detail = detail.replace(f"; {seat}: ", f", {seat}: ")
    return detail
