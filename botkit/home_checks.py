"""Check games at home: those that decide on a site, and others with every value of every option."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from random import Random
from typing import Any

from botkit.checks import REFERENCE, SEED_BITS, CheckFailed, Checks, reference_bots
from botkit.games import ISOLATION
from botkit.home import HomeBot
from botkit.processes import leaving_nothing
from botkit.program import LocalProgram, LocalTable
from botkit.reference import ReferenceBot, failure_of
from engine.clock import ClockSpec
from engine.outcome import Result
from engine.protocol import Answer, Ask, Failure, Table
from engine.record import PlayerId, Record
from engine.referee import play
from engine.registry import resolve_options, variants
from engine.variant import Variant

STDERR_KEEP_BYTES = 4096
Tell = Callable[[str, str, str], object]  # of a step: its name, its state, and what is said of it


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the check games say of a bot: the games that it may play, or why it is rejected.

    `log`, `record` and `seat` are of the game that it failed, if it failed in a game. The record is
    JSON, or empty.
    """

    variants: tuple[str, ...] = ()
    reason: str = ""
    log: str = ""
    record: str = ""
    seat: str = ""


def verdict(
    bot: HomeBot,
    slugs: Sequence[str],
    *,
    clock: ClockSpec,
    rng_seed: int,
    tell: Tell,
) -> Verdict:
    """Check a bot as a site does. Without `slugs` it must pass in one game at least.

    Raise NoBot if the bot cannot be started.
    """
    checks = Checks(
        HomePlace(bot, clock),
        random=Random(rng_seed),  # noqa: S311 - for the chance of games that anybody may know
        on_game=lambda ending: tell("smoke", "running", ending),
    )
    passed: Sequence[str] = slugs or sorted(variants())
    for name, run in (("protocol", checks.protocol), ("smoke", checks.smoke)):
        tell(name, "running", "")
        try:
            step = run(passed, must_pass=bool(slugs))
        except CheckFailed as failure:
            tell(name, "failed", failure.message)
            record = failure.record.to_json() if failure.record else ""
            return Verdict((), failure.message, failure.log, record, failure.seat)
        # The games of the smoke match were told one by one.
        tell(name, "passed", step.failures if name == "smoke" else step.message)
        passed = step.variants
    return Verdict(tuple(passed))


@dataclass(slots=True)
class HomePlace:
    """An author's machine. Implements `botkit.checks.Place`; `stderr` is the end of the bot's."""

    bot: HomeBot
    clock: ClockSpec
    options: Mapping[str, Any] = field(default_factory=dict)  # that are not the usual ones
    stderr: bytearray = field(default_factory=bytearray)

    @property
    def player(self) -> PlayerId:
        """The bot, by the name in its manifest."""
        return PlayerId(self.bot.name, self.bot.digest)

    @contextmanager
    def seated(
        self,
        *,
        seat: str,
        others: Mapping[str, ReferenceBot],
        on_wait: Callable[[], None] | None = None,  # noqa: ARG002 - its clock bounds each wait
    ) -> Iterator["_CheckTable"]:
        """Start the bot. Raise NoBot."""
        self.stderr.clear()
        with (
            leaving_nothing(),
            LocalProgram(self.bot.command, folder=self.bot.folder, log=self._keep) as program,
        ):
            yield _CheckTable(LocalTable({seat: program}), others)

    def referee(
        self,
        *,
        variant: Variant[Any],
        players: Mapping[str, PlayerId],
        table: Table,
        rng_seed: int,
        random: Random | None = None,  # noqa: ARG002 - nothing is left open
        progress: Callable[[int], None] | None = None,
    ) -> Record:
        """Play a game."""
        return play(
            variant,
            options=resolve_options(variant, self.options),
            rng_seed=rng_seed,
            game=f"check-{rng_seed:012x}",
            players=players,
            clock=self.clock,
            table=table,
            isolation=ISOLATION,
            progress=progress,
        )

    def log(self, *, seat: str, result: Result | None) -> Sequence[str]:  # noqa: ARG002 - a Place
        """Return the end of what the bot wrote to stderr."""
        return ["-- stderr", self.stderr.decode(errors="replace").rstrip()]

    def renew(self) -> None:
        """Do nothing: nobody waits for a sign."""

    def _keep(self, chunk: bytes) -> None:
        self.stderr.extend(chunk)
        del self.stderr[:-STDERR_KEEP_BYTES]


@dataclass(frozen=True, slots=True)
class CheckCase:
    """A game beyond the verdict: the seat of the bot, and the options that are not the usual."""

    variant: Variant[Any]
    seat: str
    options: Mapping[str, Any]

    def __str__(self) -> str:
        chosen = ", ".join(f"{key}={json.dumps(value)}" for key, value in self.options.items())
        return f"{self.variant.slug}, {self.seat}" + (f", {chosen}" if chosen else "")


@dataclass(frozen=True, slots=True)
class Checked:
    """Such a game that was played: the phases in which the bot was asked, and its last stderr.

    `record` is JSON. `failure` is why the check games of a site would reject the bot after this
    game, or nothing.
    """

    record: str
    actions: int
    termination: str
    failure: str
    phases: frozenset[str]
    stderr: str


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


def play_case(case: CheckCase, bot: HomeBot, *, clock: ClockSpec, rng_seed: int) -> Checked:
    """Play a game to its end. Raise NoBot if the bot cannot be started."""
    place = HomePlace(bot, clock, case.options)
    random = Random(rng_seed)  # noqa: S311 - as above
    others = reference_bots(case.variant, case.seat, random)
    with place.seated(seat=case.seat, others=others) as table:
        record = place.referee(
            variant=case.variant,
            players=dict.fromkeys(others, REFERENCE) | {case.seat: place.player},
            table=table,
            rng_seed=random.getrandbits(SEED_BITS),
        )
    stderr = place.stderr.decode(errors="replace")
    return Checked(
        record=record.to_json(),
        actions=len(record.actions),
        termination=record.result.termination,
        failure=failure_of(record, case.seat),
        phases=frozenset(table.phases),
        stderr=stderr,
    )


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
