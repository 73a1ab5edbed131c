"""Check games: the games of a new version against the reference bot.

What a bot is told in a check game does not differ from a game of a match on the same ladder. A long
check game is therefore ended from outside, and not by a limit that the bot is told.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from arena.domain.matches import evidence, leases
from arena.domain.matches.leases import Lease
from arena.models import Ladder
from arena.runner import programs
from arena.runner.play import Pulse, referee_game
from botkit.package import Package
from botkit.reference import ReferenceBot, failure_of
from engine import registry
from engine.outcome import PLATFORM, Result
from engine.protocol import Answer, Ask, Failure, PlatformFault, Table, TableWrapper
from engine.record import PlayerId, Record
from engine.variant import Variant
from sandbox.levels.isolation import Isolation
from sandbox.table import BotTable, Seating

SEED_BITS = 48
ENOUGH_PLIES = 400  # a longer check game ends here
DEPLOY = "deploy"


class CheckFailed(Exception):
    """The bot failed a check. `message` says how, and `log` and `record` are for its owner.

    `record` is the record of the game that it forfeited, or None if it failed in another way.
    """

    def __init__(self, message: str, log: str, record: Record | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.log = log
        self.record = record


class _Enough(Exception):
    """The check has seen enough: the game ends without a result, and the bot is told nothing."""


class _CheckTimeExceeded(Exception):
    """The bot has used up the wall time of its checks. A bot that sleeps uses no CPU time."""


@dataclass(slots=True)
class VersionUnderCheck:
    """A version under check. `left_s` is the remaining wall time for the responses of its bot."""

    lease: Lease
    program: Package
    left_s: float
    _since_s: float | None = None  # the time of the open request

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Count the time until the bot has responded. Raise _CheckTimeExceeded."""
        self._since_s = began_s = time.monotonic()
        yield
        self._check_time()
        self._since_s = None
        self.left_s -= time.monotonic() - began_s

    def renew(self) -> None:
        """Renew the lease during a wait. Raise LeaseLost, or _CheckTimeExceeded.

        Only the wait for a response counts, not the start of a container.
        """
        self._check_time()
        leases.renew(lease=self.lease)

    def _check_time(self) -> None:
        if self._since_s is not None and time.monotonic() - self._since_s > self.left_s:
            raise _CheckTimeExceeded


class _Watched(TableWrapper):
    """A table that counts the time of a seat, and notes when the seat has finished its set-up."""

    def __init__(self, table: Table, seat: str, candidate: VersionUnderCheck) -> None:
        super().__init__(table)
        self.seat, self.candidate = seat, candidate
        self.has_played = False

    def ask(self, asks: Mapping[str, Ask]) -> Mapping[str, Answer | Failure]:
        asked = asks.get(self.seat)
        if asked is None:
            return self.table.ask(asks)
        with self.candidate.asked():
            answers = self.table.ask(asks)
        if not asked.starting:
            self.has_played = json.loads(asked.line)["phase"] != DEPLOY
        return answers


def first_action(*, candidate: VersionUnderCheck, variant_slug: str, random: Random) -> str:
    """Start the bot in any seat and end the game after its first action. Return the log.

    `random` draws the seat and the chance of the game.
    Raise CheckFailed if it forfeits before that, or if it has used up the wall time of its checks.
    """
    variant = registry.find(variant_slug)

    def stop(watched: _Watched, _ply: int) -> None:
        leases.renew(lease=candidate.lease)
        if watched.has_played:
            raise _Enough

    seat = random.choice(variant.seats)
    _record, log = _play(candidate, variant, random, seat=seat, progress=stop)
    return log


def whole_games(
    *, candidate: VersionUnderCheck, variant_slug: str, random: Random
) -> Iterator[tuple[str, str]]:
    """Play a game for every side, with the bot in any seat of it. Yield each ending and log.

    `random` draws as in `first_action`. Raise CheckFailed like it.
    """
    variant = registry.find(variant_slug)
    for seats in variant.sides.values():
        yield _whole_game(candidate, variant, random, seat=random.choice(seats))


def _whole_game(
    candidate: VersionUnderCheck, variant: Variant[Any], random: Random, *, seat: str
) -> tuple[str, str]:
    pulse = Pulse(lambda _ply: leases.renew(lease=candidate.lease))

    def follow(_watched: _Watched, ply: int) -> None:
        pulse(ply)
        if ply >= ENOUGH_PLIES:
            raise _Enough

    record, log = _play(candidate, variant, random, seat=seat, progress=follow)
    words = {"variant": variant.title, "seat": seat, "plies": pulse.ply}
    if record is None:
        return _("%(variant)s, %(seat)s: %(plies)d plies without a fault.") % words, log
    words["termination"] = _in_words(record.result)
    return _("%(variant)s, %(seat)s: %(plies)d plies, %(termination)s.") % words, log


def _play(
    candidate: VersionUnderCheck,
    variant: Variant[Any],
    random: Random,
    *,
    seat: str,
    progress: Callable[[_Watched, int], None],
) -> tuple[Record | None, str]:
    """Play against the reference bot. The record is None if `progress` ended the game."""
    seats: dict[str, Seating] = {
        each: candidate.program
        if each == seat
        else ReferenceBot(variant, random.getrandbits(SEED_BITS))
        for each in variant.seats
    }
    record: Record | None = None
    is_late = False
    level = programs.level()
    with programs.seated(level=level, seats=seats, on_wait=candidate.renew) as table:
        watched = _Watched(table, seat, candidate)
        try:
            record = _referee(variant, level, watched, random, partial(progress, watched))
        except _Enough:
            pass
        except _CheckTimeExceeded:
            is_late = True
    log = _log(variant, seat, record, table)
    if is_late:
        message = _(
            "%(variant)s: in all check games together, the bot has taken more than %(limit)d"
            " seconds for its responses."
        )
        words = {"variant": variant.title, "limit": settings.CHECK_WAIT_S}
        raise CheckFailed(message % words, log)
    if record is not None:
        _judge(variant, seat, record, log)
    return record, log


def _referee(
    variant: Variant[Any],
    level: Isolation,
    table: _Watched,
    random: Random,
    progress: Callable[[int], None],
) -> Record:
    """Play a game on the terms of any ladder of the variant, an open one if there is one."""
    program = table.candidate.program
    ladders = Ladder.objects.filter(variant=variant.name)
    choices = [*ladders.filter(is_open=True)] or [*ladders] or [Ladder(variant=variant.name)]
    return referee_game(
        ladder=random.choice(choices),
        rng_seed=random.getrandbits(SEED_BITS),
        players={seat: PlayerId(program.manifest.name, program.digest) for seat in variant.seats},
        table=table,
        level=level,
        progress=progress,
    )


def _judge(variant: Variant[Any], seat: str, record: Record, log: str) -> None:
    result = record.result
    if result.fault == PLATFORM or result.points is None:
        raise PlatformFault(result.detail or "the check game is void")
    if result.fault not in (seat, None):
        raise PlatformFault(f"the reference bot forfeited: {result.detail}")
    if failure := failure_of(record, seat):
        raise CheckFailed(f"{variant.title}, {seat}: {failure}", log, record)


def _in_words(result: Result) -> str:
    return str(result.termination).replace("_", " ")


def _log(variant: Variant[Any], seat: str, record: Record | None, table: BotTable) -> str:
    lines = [f"== {variant.name}, {seat}"]
    if record is not None:
        lines.append(f"{len(record.actions)} actions; {record.result.termination}")
        lines.append(record.result.detail)
    lines += ["-- stderr", programs.stderr(table=table, seat=seat).rstrip()]
    if record is not None:
        kept = evidence.gather(kept=table.evidence, seats=[seat], result=record.result)
        lines += [evidence.in_words(row=row) for row in kept]
    return "\n".join(line for line in lines if line) + "\n"
