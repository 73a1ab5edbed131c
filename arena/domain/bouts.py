"""The games that admit a version, against the reference bot. For the runner only."""

import secrets
from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from arena.domain import leases, programs
from arena.domain.leases import Lease
from arena.domain.reference_bot import ReferenceBot
from arena.domain.running import Pulse
from arena.models import Ladder
from engine import referee, registry
from engine.clock import ClockSpec
from engine.outcome import PLATFORM, Result
from engine.protocol import PlatformFault
from engine.record import PlayerId, Record
from engine.variant import Variant
from sandbox.package import Package
from sandbox.table import BotTable

SEED_BITS = 48
SMOKE_MAX_PLIES = 600  # where the variant has such an option: enough to see a bot through a game
PLIES_OPTION = "max_plies"


class Unfit(Exception):
    """The bot forfeited a check; `message` says in what way, `log` is for its owner."""

    def __init__(self, message: str, log: str) -> None:
        super().__init__(message)
        self.message = message
        self.log = log


class _SeenEnough(Exception):
    """The bot has made its first action: a protocol check needs no more."""


def first_action(*, lease: Lease, program: Package, variant_slug: str) -> str:
    """Start the bot in the first seat and end the game after its first action; gives the log.

    Raises Unfit where it forfeits before that.
    """
    variant = registry.find(variant_slug)
    asked = [0]

    def stop(_ply: int) -> None:
        # The first call follows the hidden deployment of all seats, the second the first turn.
        asked[0] += 1
        leases.renew(lease=lease)
        if asked[0] > 1:
            raise _SeenEnough

    _record, log = _bout(lease, variant, program, seat=variant.seats[0], progress=stop)
    return log


def whole_game(*, lease: Lease, program: Package, variant_slug: str) -> tuple[str, str]:
    """Play a game with the bot in the last seat; gives how it ended and the log. Raises Unfit."""
    variant = registry.find(variant_slug)
    pulse = Pulse(lambda _ply: leases.renew(lease=lease))
    record, log = _bout(lease, variant, program, seat=variant.seats[-1], progress=pulse)
    if record is None:
        raise PlatformFault("the smoke match did not end")
    ending = _("%(variant)s: %(plies)d plies, %(termination)s.") % {
        "variant": variant.title,
        "plies": pulse.ply,
        "termination": _in_words(record.result),
    }
    return ending, log


def _bout(
    lease: Lease,
    variant: Variant[Any],
    program: Package,
    *,
    seat: str,
    progress: Callable[[int], None],
) -> tuple[Record | None, str]:
    """Play against the reference bot; the record is None where `progress` had seen enough."""
    reference = ReferenceBot(variant, secrets.randbits(SEED_BITS))
    seats = {each: program if each == seat else reference for each in variant.seats}
    record: Record | None = None
    with programs.seated(seats=seats, on_wait=lambda: leases.renew(lease=lease)) as table:
        try:
            record = _referee(variant, program, table, progress)
        except _SeenEnough:
            record = None
    log = _log(variant, seat, record, table)
    if record is not None:
        _judge(variant, seat, record.result, log)
    return record, log


def _referee(
    variant: Variant[Any], program: Package, table: BotTable, progress: Callable[[int], None]
) -> Record:
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
        isolation=programs.level().kind,
        progress=progress,
    )


def _judge(variant: Variant[Any], seat: str, result: Result, log: str) -> None:
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
    raise Unfit(reason, log)


def _in_words(result: Result) -> str:
    return str(result.termination).replace("_", " ")


def _log(variant: Variant[Any], seat: str, record: Record | None, table: BotTable) -> str:
    lines = [f"== {variant.name}, {seat}"]
    if record is not None:
        lines.append(f"{len(record.actions)} actions; {record.result.termination}")
        lines.append(record.result.detail)
    result = record.result if record is not None else None
    lines += ["-- stderr", programs.owners_log(table=table, seat=seat, result=result)]
    return "\n".join(line for line in lines if line) + "\n"
