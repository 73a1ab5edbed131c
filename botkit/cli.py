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
from botkit.verification import FALSE, UNCHECKED, Known, examine, exit_status, summary
from engine.chance import is_secret
from engine.errors import BadRecord, NewerRecord
from engine.protocol import PROTOCOL
from engine.record import Record
from engine.signature import BadKeys, read_keys
from engine.version import VERSION

FETCH_WAIT_S = 30
KEYS_ADDRESS = "/api/v1/record-keys"
UNREADABLE = 4  # exit status of `verify`
SHOWN = 400  # characters of a request


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0 done, 1 no, 2 not understood."""
    parser = argparse.ArgumentParser(prog="drapeau", description="Tools for authors of bots.")
    parser.add_argument("--version", action="version", version=_versions())
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    check = commands.add_parser(
        "verify", help="check the seal and the signature of a record, and play it again"
    )
    check.add_argument("record", help="a record (JSON): its file, or its address on the site")
    where = check.add_mutually_exclusive_group()
    where.add_argument("--site", metavar="URL", help="the site that signed it, to ask for its keys")
    where.add_argument("--keys", metavar="FILE", help="the keys of the site, as it publishes them")
    check.add_argument(
        "--commitment",
        metavar="HEX",
        type=_hex,
        help="the commitment that the page of the match showed before the game",
    )
    check.add_argument(
        "--tournament-commitment",
        metavar="HEX",
        type=_hex,
        help="the commitment that the page of the tournament showed before its first round",
    )
    check.add_argument(
        "--tournament-secret",
        metavar="HEX",
        type=_hex,
        help="the secret that the page of the tournament shows after its release",
    )
    check.set_defaults(run=_verify)
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


def _hex(text: str) -> str:
    """Return 64 hexadecimal digits in lower case. Raise ArgumentTypeError."""
    if not is_secret(text.lower()):
        raise argparse.ArgumentTypeError("it must have 64 hexadecimal digits")
    return text.lower()


def _verify(chosen: argparse.Namespace) -> int:
    """Return 0 if everything holds, and else FALSE, UNCHECKED or UNREADABLE."""
    place: str = chosen.record
    keys_place = f"{chosen.site.rstrip('/')}{KEYS_ADDRESS}" if chosen.site else chosen.keys
    try:
        text = _fetched(place)
        keys = read_keys(_fetched(keys_place)) if keys_place else None
    except (OSError, BadKeys) as problem:
        sys.stderr.write(f"{problem}\n")
        return UNREADABLE
    try:
        record = Record.from_json(text)
    except BadRecord as problem:
        sys.stderr.write(f"{place}: {problem}\n")
        return UNCHECKED if isinstance(problem, NewerRecord) else FALSE
    known = Known(keys, chosen.commitment, chosen.tournament_commitment, chosen.tournament_secret)
    findings = examine(record, known)
    _say(f"{place}: {summary(record)}")
    for finding in findings:
        _say(f"  {finding}")
    return exit_status(findings)


def _reproduce(place: str, seat: str, bot: Sequence[str]) -> int:
    """Return 0 where the bot does what the record says of it, else 1."""
    try:
        record = Record.from_json(_fetched(place))
        with LocalProgram(command_of(bot)) as program:
            verdict = reproduce(record, seat, program, say=_say)
    except OSError as problem:
        sys.stderr.write(f"{problem}\n")
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
    """Read a file, or what is at an address. Raise OSError, which names it."""
    try:
        if not place.startswith(("http://", "https://")):
            return Path(place).read_bytes()
        with urlopen(place, timeout=FETCH_WAIT_S) as answer:  # noqa: S310 - of these two schemes
            found: bytes = answer.read()
    except OSError as problem:
        raise OSError(f"{place}: cannot be read: {problem.strerror or problem}") from problem
    except (HTTPException, ValueError) as problem:  # an address that is none, an answer cut short
        raise OSError(f"{place}: cannot be read: {problem}") from problem
    return found


def _of_seat(record: Record, fault: str | None) -> str:
    return f": {record.result.detail}" if fault else ""


def _shortened(line: bytes) -> str:
    """Return a line as text, its end left out where it is long."""
    text = line.decode(errors="replace").rstrip("\n")
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}... ({len(line)} bytes)"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
