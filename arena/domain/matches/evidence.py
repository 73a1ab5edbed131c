"""Evidence of a forfeit: the last request, the response and the resources used, for the owner."""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from signal import Signals
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.models import GameEvidence
from arena.texts import matches as texts
from engine.outcome import Result

if TYPE_CHECKING:
    from sandbox.wire.evidence import (
        Evidence,  # for the type checker only, since the web process imports this module
    )

Stored = bytes | memoryview  # the types of a column of bytes

DUMP_BYTES = 16  # in a line of a dump
PRINTABLE = range(0x20, 0x7F)
EXACT_BELOW_MS = 10  # shorter times are shown with a tenth of a millisecond
MIB = 1024 * 1024


def gather(
    *, kept: Callable[[str], "Evidence | None"], seats: Iterable[str], result: Result
) -> list[GameEvidence]:
    """Return an unsaved row for each of these seats whose program forfeited the game.

    `kept` returns the last exchange of a seat, if the table has kept it.
    """
    if result.fault is None:
        return []
    failed = [seat for seat in seats if seat == result.fault or f"; {seat}: " in result.detail]
    exchanges = {seat: kept(seat) for seat in failed}
    return [
        GameEvidence(seat=seat, **asdict(exchange))
        for seat, exchange in exchanges.items()
        if exchange
    ]


def in_words(*, row: GameEvidence) -> str:
    """Return the evidence as plain text, for a log."""
    return "\n".join(
        [
            f"-- sent to the bot: {size(row.request)}",
            readable(row.request),
            f"-- received from it: {size(row.received)}",
            readable(row.received),
            "-- measured",
            *(f"{name}: {value}" for name, value in figures(row=row)),
        ]
    )


def figures(*, row: GameEvidence) -> list[tuple[str, str]]:
    """Return the measured values as pairs (name, value) for people, without unmeasured ones."""
    spent = {"spent": _ms(row.charged_ms), "had": _ms(row.allowance_ms)}
    pairs = [(_("Charged"), _("%(spent)s of %(had)s") % spent), (_("Wall time"), _ms(row.wall_ms))]
    if row.cpu_ms is not None:
        pairs.append((_("CPU time since its start"), _ms(row.cpu_ms)))
    if row.peak_memory_bytes is not None:
        pairs.append((_("Peak memory"), f"{row.peak_memory_bytes / MIB:.1f} MiB"))
    return [*pairs, (_("End of the program"), end_of(row=row))]


def size(data: Stored) -> str:
    """Return the size of the data as text."""
    return ngettext("%(count)d byte", "%(count)d bytes", len(data)) % {"count": len(data)}


def readable(stored: Stored) -> str:
    r"""Return bytes as printable text: UTF-8 with escapes such as \n or \u202e, or a hex dump."""
    data = bytes(stored)
    if not is_text(data):
        return "\n".join(_dump_line(data, offset) for offset in range(0, len(data), DUMP_BYTES))
    return "".join(_visible(char) for char in data.decode()).removesuffix("\n")


def is_text(stored: Stored) -> bool:
    """Return whether the data is UTF-8."""
    try:
        bytes(stored).decode()
    except UnicodeDecodeError:
        return False
    return True


def _visible(char: str) -> str:
    if char.isprintable() and char != "\\":
        return char
    escaped = char.encode("unicode_escape").decode()
    return f"{escaped}\n" if char == "\n" else escaped


def _dump_line(data: bytes, offset: int) -> str:
    part = data[offset : offset + DUMP_BYTES]
    text = "".join(chr(byte) if byte in PRINTABLE else "." for byte in part)
    return f"{offset:04x}  {part.hex(' '):<{3 * DUMP_BYTES}} {text}"


def _ms(time_ms: float) -> str:
    digits = 1 if time_ms < EXACT_BELOW_MS else 0
    return f"{time_ms:.{digits}f} ms"


def end_of(*, row: GameEvidence) -> str:
    """Return how the program ended."""
    if row.signal is not None:
        known = row.signal in [*Signals]
        text = texts.SIGNAL if known else texts.UNKNOWN_SIGNAL
        name = Signals(row.signal).name if known else ""
        return str(text % {"number": row.signal, "name": name})
    if row.exit_status is not None:
        return str(texts.EXIT_STATUS % {"status": row.exit_status})
    return str(texts.STILL_RUNNING)
