"""Ask a bot again what one seat was asked in a recorded game, and judge it as the referee did.

The game goes on as it is recorded whatever the bot answers, so every request is what it was then:
the same view, events, legal actions and `rng_seed`. (The clock in it is right to a few ms, as
a record holds whole ones, and `limits` are those of `limits_at_home`.)
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from botkit.program import limits_at_home
from engine.clock import ClockSpec, SeatClock
from engine.errors import BadRecord, EngineError
from engine.protocol import (
    Act,
    Answer,
    Ask,
    Failure,
    Ready,
    act_message,
    parse_act,
    parse_ready,
    start_message,
)
from engine.record import Played, Record, begin, check_age
from engine.referee import Forfeit, apply_action, parse_answer
from engine.registry import find
from engine.rng import seat_seed


class Player(Protocol):
    """Whoever is asked."""

    def ask(self, ask: Ask) -> Answer | Failure:
        """Take a line and give one back, or the reason why there is none."""
        ...


@dataclass(frozen=True, slots=True)
class Difference:
    """An answer that is not that of the game. Requests are counted from 1."""

    request: int
    answer: str
    recorded: str

    def __str__(self) -> str:
        game = f"in the game {self.recorded}"
        return f"request {self.request}: it answers {self.answer}, {game}"


Say = Callable[[Difference], None]


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What came of it: the request at which the bot failed, counted from 1, and how; else None."""

    requests: int
    forfeit: Forfeit | None
    differing: tuple[Difference, ...]
    last: bytes  # the last line that it was sent


@dataclass(slots=True)
class _Seat:
    name: str
    clock: SeatClock
    ready: Ready = field(default_factory=Ready)
    has_view: bool = False
    used_ms: float = 0.0


def expected(record: Record, seat: str) -> str | None:
    """Return the word for how this seat failed in the record.

    None where it did not, or not first.
    """
    return str(record.result.termination) if record.result.fault == seat else None


def reproduce(record: Record, seat: str, player: Player, *, say: Say) -> Reproduction:
    """Ask the player everything that the seat was asked, until it fails or the record ends.

    `say` hears of every answer that differs. Raise BadRecord where the record cannot be played
    or has no such seat.
    """
    check_age(record)
    try:
        _check_seat(record, seat)
        return _reproduce(record, seat, player, say)
    except BadRecord:
        raise
    except (EngineError, KeyError, TypeError) as problem:
        why = problem if isinstance(problem, EngineError) else "a part of it is not as it must be"
        raise BadRecord(f"the record cannot be played: {why}") from problem


def _check_seat(record: Record, seat: str) -> None:
    seats = find(record.variant).seats
    if seat not in seats:
        raise BadRecord(f"there is no seat {seat!r}; there are {', '.join(seats)}")


def _reproduce(record: Record, name: str, player: Player, say: Say) -> Reproduction:
    clock = ClockSpec(**{key: record.clock[key] for key in ClockSpec().as_json()})
    seat = _Seat(name, SeatClock.full(clock))
    start = start_message(
        variant=record.variant,
        options=record.options,
        seat=name,
        rng_seed=seat_seed(record.rng_seed, name),
        game=record.game,
        clock={**clock.as_json(), "basis": record.clock["basis"]},
        limits=limits_at_home(),
    )
    first = Ask(start, float(clock.startup_ms), starting=True)
    ready = parse_answer(player.ask(first), first, parse_ready)
    if isinstance(ready, Forfeit):
        return Reproduction(1, ready, (), first.line)
    seat.ready = ready
    requests, line = 1, first.line
    differing: list[Difference] = []
    for ask, recorded, judge in _asks(record, seat):
        requests, line = requests + 1, ask.line
        act = parse_answer(player.ask(ask), ask, parse_act)
        forfeit = act if isinstance(act, Forfeit) else judge(act)
        if forfeit is not None:
            return Reproduction(requests, forfeit, tuple(differing), line)
        if isinstance(act, Act) and recorded is not None and act.action != recorded.action:
            differing.append(Difference(requests, act.action, recorded.action))
            say(differing[-1])
    return Reproduction(requests, None, tuple(differing), line)


def _asks(
    record: Record, seat: _Seat
) -> Iterator[tuple[Ask, Played | None, Callable[[Act], Forfeit | None]]]:
    """Yield each request after the first, what was answered then, and a judge of what is now."""
    variant, state = begin(record)
    pending_events: list[dict[str, Any]] = []
    rest = list(record.actions)
    while variant.result(state) is None:
        asked = variant.asked(state)
        turn = [played for played in rest[: len(asked)] if played.seat in asked]
        if seat.name in asked:
            recorded = next((played for played in turn if played.seat == seat.name), None)
            line = act_message(
                view=variant.view(state, seat.name),
                events=pending_events,
                legal=variant.legal(state, seat.name) if seat.ready.legal else None,
                bank_ms=seat.clock.bank_ms,
                used_ms=seat.used_ms,
                with_view=seat.ready.view == "full" or not seat.has_view,
            )
            seat.has_view = True
            ask = Ask(line, seat.clock.allowance_ms())
            pending_events = []
            yield ask, recorded, _judge(variant, variant.copy(state), seat.name)
            if recorded is not None:
                seat.clock.charge(recorded.charged_ms)
                seat.used_ms = recorded.charged_ms
        if len(turn) < len(asked):
            return  # here somebody fell
        for played in turn:
            events = variant.apply(state, played.seat, played.action)
            pending_events += [event.seen_by(seat.name) for event in events]
        del rest[: len(turn)]


def _judge(variant: Any, state: Any, seat: str) -> Callable[[Act], Forfeit | None]:  # noqa: ANN401 - a variant of any state
    def judge(act: Act) -> Forfeit | None:
        done = apply_action(variant, state, seat, act.action)
        return done if isinstance(done, Forfeit) else None

    return judge
