"""Check a bot at home: whole games in every seat, and with every value of every option.

The opponents are the reference bot of the arena's check games.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any

from botkit.games import ISOLATION
from botkit.home import HomeBot
from botkit.processes import leaving_nothing
from botkit.program import LocalProgram, LocalTable
from botkit.reference import ReferenceBot, failure_of
from engine.clock import ClockSpec
from engine.protocol import Answer, Ask, Failure
from engine.record import PlayerId, Record
from engine.referee import play
from engine.registry import resolve_options
from engine.variant import Variant

STDERR_KEEP_BYTES = 4096


@dataclass(frozen=True, slots=True)
class CheckCase:
    """One check game: the seat of the bot, and the options that differ from the default."""

    variant: Variant[Any]
    seat: str
    options: Mapping[str, Any]

    def __str__(self) -> str:
        chosen = ", ".join(f"{key}={json.dumps(value)}" for key, value in self.options.items())
        return f"{self.variant.slug}, {self.seat}" + (f", {chosen}" if chosen else "")


@dataclass(frozen=True, slots=True)
class Checked:
    """A check game that was played: the phases in which the bot was asked, and its last stderr."""

    case: CheckCase
    record: Record
    phases: frozenset[str]
    stderr: str

    @property
    def failure(self) -> str:
        """Why the site would reject the bot after this game, or nothing."""
        return failure_of(self.record, self.case.seat)

    @property
    def has_started(self) -> bool:
        """Whether the bot was asked for an action."""
        return bool(self.phases)


def cases(variant: Variant[Any], turn: int = 0) -> Iterator[CheckCase]:
    """Yield a game for each seat, then one for each other value of each option.

    Among the values of the limits is none at all, so some games are long. With another `turn`, the
    games with options have other seats.
    """
    for seat in variant.seats:
        yield CheckCase(variant, seat, {})
    seats = islice(cycle(variant.seats), turn % len(variant.seats), None)
    for key, option in variant.options.items():
        for value in option.allowed:
            if value != option.default:
                yield CheckCase(variant, next(seats), {key: value})


def phases_of(variant: Variant[Any]) -> frozenset[str]:
    """Return the phases in which a variant asks for an action."""
    prefix = "action_"
    parts = variant.schema()["$defs"]
    return frozenset(name.removeprefix(prefix) for name in parts if name.startswith(prefix))


def check(case: CheckCase, bot: HomeBot, *, clock: ClockSpec, rng_seed: int) -> Checked:
    """Play a check game. Raise NoBot if the bot cannot be started."""
    variant, tail = case.variant, bytearray()

    def keep(chunk: bytes) -> None:
        tail.extend(chunk)
        del tail[:-STDERR_KEEP_BYTES]

    with leaving_nothing(), LocalProgram(bot.command, folder=bot.folder, log=keep) as program:
        others = {
            seat: ReferenceBot(variant, rng_seed + place)
            for place, seat in enumerate(variant.seats)
            if seat != case.seat
        }
        table = _CheckTable(LocalTable({case.seat: program}), others)
        record = play(
            variant,
            options=resolve_options(variant, case.options),
            rng_seed=rng_seed,
            game=f"check-{rng_seed:012x}",
            players={
                seat: PlayerId("reference bot", "")
                if seat in others
                else PlayerId(bot.name, bot.digest)
                for seat in variant.seats
            },
            clock=clock,
            table=table,
            isolation=ISOLATION,
        )
    return Checked(case, record, frozenset(table.phases), tail.decode(errors="replace"))


@dataclass(slots=True)
class _CheckTable:
    """A table of one program among scripted players. It notes the phases of the program."""

    programs: LocalTable
    scripted: Mapping[str, ReferenceBot]
    phases: set[str] = field(default_factory=set)
    clock_basis: str = LocalTable.clock_basis

    def ask(self, asks: Mapping[str, Ask]) -> dict[str, Answer | Failure]:
        ours = {seat: ask for seat, ask in asks.items() if seat not in self.scripted}
        self.phases |= {json.loads(ask.line)["phase"] for ask in ours.values() if not ask.starting}
        outcomes = self.programs.ask(ours)
        return {
            seat: outcomes[seat] if seat in outcomes else Answer(self.scripted[seat](ask.line), 0.0)
            for seat, ask in asks.items()
        }

    def limits(self, seat: str) -> Mapping[str, int]:
        return {} if seat in self.scripted else self.programs.limits(seat)

    def note(self, seat: str, text: str) -> None:
        if seat not in self.scripted:
            self.programs.note(seat, text)

    def tell(self, seat: str, line: bytes) -> None:
        if seat not in self.scripted:
            self.programs.tell(seat, line)

    def close(self) -> None:
        self.programs.close()
