"""The check games that decide about a bot: the same program at home and on the site.

In the *protocol check* the bot starts and acts once in each of its games. In the *smoke match* it
plays a game on each side of them. The reference bot has all other seats.

What a bot is told in a check game does not differ from a game of a match on the same ladder. A long
check game is therefore ended from outside, and not by a limit that the bot is told.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any, Protocol

from botkit.manifest import BadUpload
from botkit.package import Package
from botkit.reference import ReferenceBot, failure_of
from engine import registry
from engine.errors import UnknownVariant
from engine.outcome import PLATFORM, Result, Termination
from engine.protocol import Answer, Ask, Failure, PlatformFault, Table, TableWrapper
from engine.record import PlayerId, Record
from engine.variant import Variant

SEED_BITS = 48
ENOUGH_PLIES = 400  # a longer check game ends here
WAIT_S = 1200  # for all responses of a bot in its check games; sites may have another limit
DEPLOY = "deploy"
REFERENCE = PlayerId("reference bot", "")
BUILT = "Compiled."  # what is said of this step


class CheckFailed(Exception):
    """The bot failed a check. `message` says how, and `log` and `record` are for its owner.

    `record` is the record of the game that it forfeited, or None if it failed in another way. Its
    seat was `seat`, and `has_started` is whether it was asked for an action.
    """

    def __init__(
        self,
        message: str,
        log: str,
        record: Record | None = None,
        *,
        seat: str = "",
        has_started: bool = True,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.log = log
        self.record = record
        self.seat = seat
        self.has_started = has_started

    def told(self, message: str, log: str) -> "CheckFailed":
        """Return the same failure with another message and log."""
        return CheckFailed(message, log, self.record, seat=self.seat, has_started=self.has_started)


class WaitedTooLong(Exception):
    """The bot has used up the wall time of its checks. A bot that sleeps uses no CPU time."""


class _Enough(Exception):
    """The check has seen enough: the game ends without a result, and the bot is told nothing."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A step that was passed: what is said of it, its log, and the variants in which it was passed.

    `failures` says in which games the bot failed that it need not play, or is empty.
    """

    summary: str
    failures: str
    log: str
    variants: tuple[str, ...]

    @property
    def message(self) -> str:
        """All that is said."""
        return f"{self.summary}\n{self.failures}".strip()


class Place(Protocol):
    """Where check games are played: the sandbox of a site, or an author's machine."""

    @property
    def player(self) -> PlayerId:
        """The bot that is checked."""

    def seated(
        self, *, seat: str, others: Mapping[str, ReferenceBot], on_wait: Callable[[], None]
    ) -> AbstractContextManager[Table]:
        """Start the bot. `on_wait` may be called while it is waited for, and may raise."""

    def referee(
        self,
        *,
        variant: Variant[Any],
        players: Mapping[str, PlayerId],
        table: Table,
        rng_seed: int,
        random: Random,
        progress: Callable[[int], None],
    ) -> Record:
        """Play a game of a variant on the terms of this place; `random` draws what is left open."""

    def log(self, *, seat: str, result: Result | None) -> Sequence[str]:
        """Return what the bot wrote in the latest game, and what else its owner may know of it."""

    def renew(self) -> None:
        """Do what shows that the checks go on. It is called after each action."""


def scanned(package: Package) -> str:
    """Return what is said of the files of a bot."""
    count = len(package.files)
    return f"{count} {'file' if count == 1 else 'files'}, digest {package.digest[:12]}."


def games_of(names: Iterable[str]) -> list[str]:
    """Return the games of names such as `classic@1`, sorted. Raise BadUpload: `unknown_variant`."""
    try:
        return sorted({registry.find(name).slug for name in names})
    except UnknownVariant as problem:
        raise BadUpload("unknown_variant", str(problem)) from problem


@dataclass(slots=True)
class _Patience:
    """The remaining wall time for the responses of a bot."""

    left_s: float
    _since_s: float | None = None  # the time of the open request

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Count the time until the bot has responded. Raise WaitedTooLong."""
        self._since_s = began_s = time.monotonic()
        try:
            yield
            self.check()
        finally:
            self._since_s = None
            self.left_s -= time.monotonic() - began_s

    def check(self) -> None:
        """Raise WaitedTooLong. Only the wait for a response counts, not the start of a bot."""
        if self._since_s is not None and time.monotonic() - self._since_s > self.left_s:
            raise WaitedTooLong


class _Watched(TableWrapper):
    """A table that counts the time of a seat, and notes when the seat has finished its set-up.

    The next question raises _Enough once `is_enough`. So what an action has ended is judged.
    """

    def __init__(self, table: Table, seat: str, patience: _Patience) -> None:
        super().__init__(table)
        self.seat, self.patience = seat, patience
        self.has_started = self.has_played = self.is_enough = False

    def ask(self, asks: Mapping[str, Ask]) -> Mapping[str, Answer | Failure]:
        if self.is_enough:
            raise _Enough
        asked = asks.get(self.seat)
        if asked is None:
            return self.table.ask(asks)
        self.has_started |= not asked.starting
        with self.patience.asked():
            answers = self.table.ask(asks)
        if not asked.starting:
            self.has_played = json.loads(asked.line)["phase"] != DEPLOY
        return answers


@dataclass(slots=True)
class Checks:
    """The checks of one bot. `random` draws the seats and the chance of the games.

    `on_game` is called with a sentence about each game of the smoke match.
    """

    place: Place
    random: Random
    wait_s: float = WAIT_S
    on_game: Callable[[str], object] = lambda _said: None
    _patience: _Patience = field(init=False)

    def __post_init__(self) -> None:
        self._patience = _Patience(self.wait_s)

    def protocol(self, slugs: Iterable[str], *, must_pass: bool) -> Passed:
        """Run the protocol check in each variant, with the bot in any seat.

        Raise CheckFailed if it fails in one of them although it must pass, or in all.
        """
        step = self._passed(slugs, self._first_action, must_pass=must_pass)
        return replace(step, summary=f"Started, deployed and moved: {', '.join(step.variants)}.")

    def smoke(self, slugs: Iterable[str], *, must_pass: bool) -> Passed:
        """Run the smoke match in each variant, with the bot in any seat of a side.

        Raise CheckFailed like `protocol`.
        """
        endings: list[str] = []
        step = self._passed(slugs, partial(self._whole_games, endings), must_pass=must_pass)
        return replace(step, summary=" ".join(endings))

    def _first_action(self, variant: Variant[Any]) -> Iterator[str]:
        def stop(watched: _Watched, _ply: int) -> bool:
            return watched.has_played

        _record, log = self._play(variant, seat=self.random.choice(variant.seats), stop=stop)
        yield log

    def _whole_games(self, endings: list[str], variant: Variant[Any]) -> Iterator[str]:
        of_variant = []
        for seats in variant.sides.values():
            ending, log = self._whole_game(variant, self.random.choice(seats))
            self.on_game(ending)
            of_variant.append(ending)
            yield log
        endings += of_variant

    def _whole_game(self, variant: Variant[Any], seat: str) -> tuple[str, str]:
        plies = 0

        def stop(_watched: _Watched, ply: int) -> bool:
            nonlocal plies
            plies = ply
            return ply >= ENOUGH_PLIES

        record, log = self._play(variant, seat=seat, stop=stop)
        ended = " without a fault"
        if record is not None:
            ended = f", {str(record.result.termination).replace('_', ' ')}"
        return f"{variant.title}, {seat}: {plies} plies{ended}.", log

    def _passed(
        self,
        slugs: Iterable[str],
        check: Callable[[Variant[Any]], Iterator[str]],
        *,
        must_pass: bool,
    ) -> Passed:
        """Run a check in each variant. The summary is still to be written."""
        log, passed, failures = "", [], list[CheckFailed]()
        for slug in slugs:
            try:
                for part in check(registry.find(slug)):
                    log += part
            except CheckFailed as failure:
                log += failure.log
                failures.append(failure)
                if must_pass or _is_hopeless(failure):
                    raise failure.told(failure.message, log) from failure
            else:
                passed.append(slug)
        # The game that went furthest is probably the one for which the bot was written.
        failures.sort(key=lambda failure: -len(failure.record.actions) if failure.record else 0)
        reasons = [failure.message for failure in failures]
        if not passed:
            lines = ["The bot failed in every game. It must pass in one at least.", *reasons]
            if not any(failure.has_started for failure in failures):
                lines, log = [f"{reasons[0]} (it started in no game)"], failures[0].log
            raise failures[0].told("\n".join(lines), log)
        lines = ["It does not play the games in which it failed:", *reasons] if failures else []
        return Passed("", "\n".join(lines), log, tuple(passed))

    def _play(
        self, variant: Variant[Any], *, seat: str, stop: Callable[[_Watched, int], bool]
    ) -> tuple[Record | None, str]:
        """Play against the reference bot until `stop`, which leaves no record."""
        others = reference_bots(variant, seat, self.random)
        rng_seed, own_seed = (self.random.getrandbits(SEED_BITS) for _ in range(2))
        record: Record | None = None
        is_late = False
        with self.place.seated(seat=seat, others=others, on_wait=self._patience.check) as table:
            watched = _Watched(table, seat, self._patience)

            def progress(ply: int) -> None:
                self.place.renew()
                watched.is_enough = stop(watched, ply)

            try:
                record = self.place.referee(
                    variant=variant,
                    players=dict.fromkeys(others, REFERENCE) | {seat: self.place.player},
                    table=watched,
                    rng_seed=rng_seed,
                    random=Random(own_seed),  # noqa: S311 - whatever a place draws, the rest stays
                    progress=progress,
                )
            except _Enough:
                pass
            except WaitedTooLong:
                is_late = True
        log = self._log(variant, seat, record)
        if is_late:
            why = (
                "in all check games together, the bot has taken more than"
                f" {self.wait_s:.0f} seconds for its responses"
            )
            raise CheckFailed(f"{variant.title}: {why}.", log)
        if record is not None:
            result, seat = record.result, watched.seat
            if result.fault == PLATFORM or result.points is None:
                raise PlatformFault(result.detail or "the check game is void")
            if result.fault not in (seat, None):
                raise PlatformFault(f"the reference bot forfeited: {result.detail}")
            if failure := failure_of(record, seat):
                message = f"{variant.title}, {seat}: {failure}"
                raise CheckFailed(message, log, record, seat=seat, has_started=watched.has_started)
        return record, log

    def _log(self, variant: Variant[Any], seat: str, record: Record | None) -> str:
        lines = [f"== {variant.name}, {seat}"]
        if record is not None:
            lines.append(f"{len(record.actions)} actions; {record.result.termination}")
            lines.append(record.result.detail)
        result = record.result if record is not None else None
        lines += self.place.log(seat=seat, result=result)
        return "\n".join(line for line in lines if line) + "\n"


def reference_bots(variant: Variant[Any], seat: str, random: Random) -> dict[str, ReferenceBot]:
    """Return the players of all seats but one; `random` draws their seeds."""
    return {
        other: ReferenceBot(variant, random.getrandbits(SEED_BITS))
        for other in variant.seats
        if other != seat
    }


def _is_hopeless(failure: CheckFailed) -> bool:
    """Return whether a bot took all its time to start: in the other games it would do so too."""
    record = failure.record
    return record is not None and record.result.termination == Termination.STARTUP_TIMEOUT
