"""The command line `drapeau`, for authors of bots. Unlike the SDK it needs the engine beside it."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.errors import BadRecord
from engine.record import Record, verify
from engine.registry import find


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit status: 0 done, 1 no, 2 not understood."""
    parser = argparse.ArgumentParser(prog="drapeau", description="Tools for authors of bots.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    check = commands.add_parser(
        "verify", help="play a record again without any bot and check its result and its seal"
    )
    check.add_argument("record", type=Path, help="a record as the site gives it (JSON)")
    check.set_defaults(run=lambda chosen: _verify(chosen.record))
    chosen = parser.parse_args(arguments)
    status: int = chosen.run(chosen)
    return status


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


def _summary(record: Record) -> str:
    variant, result = find(record.variant), record.result
    names = " against ".join(f"{record.players[seat].name} ({seat})" for seat in variant.seats)
    points = result.points or {}
    score = ", ".join(f"{side} {points[side]:g}" for side in variant.sides if points) or "void"
    actions = len(record.actions)
    return f"{record.variant}, {names}, {actions} actions, {result.termination}: {score}"


if __name__ == "__main__":
    sys.exit(main())
