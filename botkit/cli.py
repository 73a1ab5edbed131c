"""The command line `drapeau`, for authors of bots. Unlike the SDK it needs the engine beside it."""

import argparse
import sys
from collections.abc import Sequence
from http.client import HTTPException
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.request import urlopen

from botkit.program import LocalProgram, NoProgram, command_of
from botkit.reproduce import expected, reproduce
from engine.errors import BadRecord
from engine.protocol import PROTOCOL
from engine.record import Record, verify
from engine.registry import find
from engine.version import VERSION

FETCH_WAIT_S = 30
SHOWN = 400  # characters of a request


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0 done, 1 no, 2 not understood."""
    parser = argparse.ArgumentParser(prog="drapeau", description="Tools for authors of bots.")
    parser.add_argument("--version", action="version", version=_versions())
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    check = commands.add_parser(
        "verify", help="play a record again without any bot and check its result and its seal"
    )
    check.add_argument("record", type=Path, help="a record as the site gives it (JSON)")
    check.set_defaults(run=lambda chosen: _verify(chosen.record))
    again = commands.add_parser(
        "reproduce", help="ask your bot again what it was asked in a game, and judge it again"
    )
    again.add_argument("record", help="a record (JSON): its file, or its address on the site")
    again.add_argument("--seat", required=True, help="the seat that your bot had, such as red")
    again.add_argument(
        "bot",
        nargs="+",
        metavar="BOT",
        help="its file or folder, or the command that starts it (behind -- if it has options)",
    )
    again.set_defaults(run=lambda chosen: _reproduce(chosen.record, chosen.seat, chosen.bot))
    chosen = parser.parse_args(arguments)
    status: int = chosen.run(chosen)
    return status


def _versions() -> str:
    try:
        release = version("drapeau")
    except PackageNotFoundError:  # run in a checkout, without an installation
        release = "(not installed)"
    return f"drapeau {release}, engine {VERSION}, protocol {PROTOCOL}"


def _verify(path: Path) -> int:
    try:
        record = Record.from_json(path.read_bytes())
        verify(record)
    except OSError as problem:
        sys.stderr.write(f"{path}: cannot be read: {problem.strerror}\n")
        return 1
    except BadRecord as problem:
        sys.stderr.write(f"{path}: does not hold: {problem}\n")
        return 1
    sys.stdout.write(f"{path}: holds; {_summary(record)}\n")
    return 0


def _reproduce(place: str, seat: str, bot: Sequence[str]) -> int:
    """Return 0 where the bot does what the record says of it, else 1."""
    try:
        record = Record.from_json(_fetched(place))
        with LocalProgram(command_of(bot)) as program:
            verdict = reproduce(record, seat, program, say=_say)
    except OSError as problem:
        sys.stderr.write(f"{place}: cannot be read: {problem.strerror or problem}\n")
        return 1
    except (BadRecord, NoProgram) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    then = expected(record, seat)
    _say(f"in the game, {seat}: {then or 'no fault'}{_of_seat(record, then)}")
    now = (
        f"{verdict.forfeit.termination}: {verdict.forfeit.detail}"
        if verdict.forfeit
        else "no fault"
    )
    _say(f"now, at request {verdict.requests}: {now}")
    if verdict.forfeit is not None:
        _say(f"it was sent: {_shortened(verdict.last)}")
    same = then == (verdict.forfeit and str(verdict.forfeit.termination))
    _say("reproduced" if same else "not reproduced")
    return int(not same)


def _fetched(place: str) -> bytes:
    """Read a file, or what is at an address. Raise OSError."""
    if not place.startswith(("http://", "https://")):
        return Path(place).read_bytes()
    try:
        with urlopen(place, timeout=FETCH_WAIT_S) as answer:  # noqa: S310 - of these two schemes
            found: bytes = answer.read()
    except (HTTPException, ValueError) as problem:  # an address that is none, an answer cut short
        raise OSError(str(problem)) from problem
    return found


def _of_seat(record: Record, fault: str | None) -> str:
    return f": {record.result.detail}" if fault else ""


def _shortened(line: bytes) -> str:
    """Return a line as text, its end left out where it is long."""
    text = line.decode(errors="replace").rstrip("\n")
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}... ({len(line)} bytes)"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _summary(record: Record) -> str:
    variant, result = find(record.variant), record.result
    names = " against ".join(f"{record.players[seat].name} ({seat})" for seat in variant.seats)
    points = result.points or {}
    score = ", ".join(f"{side} {points[side]:g}" for side in variant.sides if points) or "void"
    actions = len(record.actions)
    return f"{record.variant}, {names}, {actions} actions, {result.termination}: {score}"


if __name__ == "__main__":
    sys.exit(main())
