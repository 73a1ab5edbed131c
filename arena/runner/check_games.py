"""The games that admit a version, against the reference bot. For the runner only."""

import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from arena.domain.matches import evidence, leases
from arena.domain.matches.leases import Lease
from arena.models import Ladder
from arena.runner import programs
from arena.runner.play import Pulse
from arena.runner.reference_bot import ReferenceBot
from engine import referee, registry
from engine.clock import ClockSpec
from engine.outcome import PLATFORM, Result
from engine.protocol import Answer, Ask, Failure, PlatformFault, Table
from engine.record import PlayerId, Record
from engine.variant import Variant
from sandbox.levels.isolation import Isolation
from sandbox.table import BotTable, Seating
from sandbox.uploads.package import Package

SEED_BITS = 48
SMOKE_MAX_PLIES = 400  # where the variant has such an option: enough to see a bot through a game
PLIES_OPTION = "max_plies"
DEPLOY = "deploy"


class CheckFailed(Exception):
    """The bot failed a check; `message` says in what way, `log` and `record` are for its owner.

    `record` is that of the game that it forfeited; None where it failed in another way.
    """

    def __init__(self, message: str, log: str, record: Record | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.log = log
        self.record = record


class _ProtocolCheckDone(Exception):
    """The bot has made its first action: a protocol check needs no more."""


class _CheckTimeExceeded(Exception):
    """The bot has used up the wall time of its checks: one that sleeps pays no CPU."""


@dataclass(slots=True)
class VersionUnderCheck:
    """A version under check, and for how long on the wall its bot may still keep us waiting."""

    lease: Lease
    program: Package
    left_s: float
    _since_s: float | None = None  # when it was asked what it has not answered yet

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Count the time until its bot has answered."""
        self._since_s = began_s = time.monotonic()
        yield
        self._check_time()
        self._since_s = None
        self.left_s -= time.monotonic() - began_s

    def hold(self) -> None:
        """Stay the holder of the version while it is waited for. Raise LeaseLost.

        Its bot is blamed for what it was asked alone: not for the time that a container takes.
        """
        self._check_time()
        leases.renew(lease=self.lease)

    def _check_time(self) -> None:
        if self._since_s is not None and time.monotonic() - self._since_s > self.left_s:
            raise _CheckTimeExceeded


@dataclass(slots=True)
class _Watched:
    """A table that counts how long a seat takes, and notes whether its set-up is behind it."""

    table: Table
    seat: str
    candidate: VersionUnderCheck
    clock_basis: str
    has_played: bool = False

    def ask(self, asks: Mapping[str, Ask]) -> Mapping[str, Answer | Failure]:
        asked = asks.get(self.seat)
        if asked is None:
            return self.table.ask(asks)
        with self.candidate.asked():
            answers = self.table.ask(asks)
        if not asked.starting:
            self.has_played = json.loads(asked.line)["phase"] != DEPLOY
        return answers

    def tell(self, seat: str, line: bytes) -> None:
        self.table.tell(seat, line)

    def close(self) -> None:
        self.table.close()


def first_action(*, candidate: VersionUnderCheck, variant_slug: str) -> str:
    """Start the bot in the first seat and end the game after its first action; return the log.

    Raise Unfit where it forfeits before that, or has kept its checks waiting for too long.
    """
    variant = registry.find(variant_slug)

    def stop(watched: _Watched, _ply: int) -> None:
        leases.renew(lease=candidate.lease)
        if watched.has_played:
            raise _ProtocolCheckDone

    _record, log = _bout(candidate, variant, seat=variant.seats[0], progress=stop)
    return log


def whole_games(*, candidate: VersionUnderCheck, variant_slug: str) -> Iterator[tuple[str, str]]:
    """Play a game for every side, the bot in the last of its seats; yield each ending and log.

    Raise Unfit as `first_action` does.
    """
    variant = registry.find(variant_slug)
    for seats in variant.sides.values():
        yield _whole_game(candidate, variant, seats[-1])


def _whole_game(candidate: VersionUnderCheck, variant: Variant[Any], seat: str) -> tuple[str, str]:
    pulse = Pulse(lambda _ply: leases.renew(lease=candidate.lease))
    record, log = _bout(candidate, variant, seat=seat, progress=lambda _, ply: pulse(ply))
    if record is None:
        raise PlatformFault("the smoke match did not end")
    ending = _("%(variant)s, %(seat)s: %(plies)d plies, %(termination)s.") % {
        "variant": variant.title,
        "seat": seat,
        "plies": pulse.ply,
        "termination": _in_words(record.result),
    }
    return ending, log


def _bout(
    candidate: VersionUnderCheck,
    variant: Variant[Any],
    *,
    seat: str,
    progress: Callable[[_Watched, int], None],
) -> tuple[Record | None, str]:
    """Play against the reference bot; the record is None where `progress` had seen enough."""
    seats: dict[str, Seating] = {
        each: candidate.program
        if each == seat
        else ReferenceBot(variant, secrets.randbits(SEED_BITS))
        for each in variant.seats
    }
    record: Record | None = None
    is_late = False
    level = programs.level()
    with programs.seated(level=level, seats=seats, on_wait=candidate.hold) as table:
        watched = _Watched(table, seat, candidate, table.clock_basis)
        try:
            record = _referee(variant, level, watched, partial(progress, watched))
        except _ProtocolCheckDone:
            pass
        except _CheckTimeExceeded:
            is_late = True
    log = _log(variant, seat, record, table)
    if is_late:
        raise CheckFailed(_kept_waiting(variant), log)
    if record is not None:
        _judge(variant, seat, record, log)
    return record, log


def _referee(
    variant: Variant[Any],
    level: Isolation,
    table: _Watched,
    progress: Callable[[int], None],
) -> Record:
    program = table.candidate.program
    ladder = Ladder.objects.filter(variant=variant.name).order_by("pk").first()
    options = dict(ladder.options) if ladder else {}
    if PLIES_OPTION in variant.options:
        options[PLIES_OPTION] = SMOKE_MAX_PLIES
    return referee.play(
        variant,
        options=options,
        rng_seed=secrets.randbits(SEED_BITS),
        game=secrets.token_hex(8),
        players={seat: PlayerId(program.manifest.name, program.digest) for seat in variant.seats},
        clock=ladder.clock if ladder else ClockSpec(),
        table=table,
        isolation=programs.named(level=level),
        progress=progress,
    )


def _judge(variant: Variant[Any], seat: str, record: Record, log: str) -> None:
    result = record.result
    if result.fault == PLATFORM or result.points is None:
        raise PlatformFault(result.detail or "the check game is void")
    if result.fault is None:
        return
    if result.fault != seat:
        raise PlatformFault(f"the reference bot forfeited: {result.detail}")
    reason = _("%(variant)s: %(termination)s: %(detail)s") % {
        "variant": variant.title,
        "termination": _in_words(result),
        "detail": result.detail.removeprefix(f"{seat}: ").removeprefix("illegal: "),
    }
    raise CheckFailed(reason, log, record)


def _kept_waiting(variant: Variant[Any]) -> str:
    return _(
        "%(variant)s: the check games of the bot took more than %(most)d seconds in total."
    ) % {"variant": variant.title, "most": settings.CHECK_WAIT_S}


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
