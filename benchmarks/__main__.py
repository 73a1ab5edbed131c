"""`make bench`: rows, then the pace of variants, what attacks on the kernel cost, and pages.

Ends with status 1 where a row could not be measured; a target that is not reached is told, no more.
"""

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.attacks import ATTACKS
from benchmarks.figures import HEAD, Goal, Measured, NotMeasured, blank, line, spread
from benchmarks.programs import PRODUCT, Program, run, sample
from benchmarks.rows import ROWS, Row, ours
from engine.registry import variants

PAGES = "page of a site of 100,000 bots and 5,000,000 games / of one of 100 bots and 5,000 games"
LIKE_A_SMALL_SITE = Goal(first=2, aim=1.3, less_is_better=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="how often both play (7)")
    parser.add_argument("--seconds", type=float, default=0.7, help="of each side in a round (0.7)")
    parser.add_argument(
        "--only", default="", help="rows, variants and attacks with this in their names"
    )
    given = parser.parse_args(arguments)
    print(f"Python {platform.python_version()}, {processor()}, {os.cpu_count()} cores")
    print(f"{given.rounds} rounds in turn, {given.seconds:g} s for each side;")
    print("figures are medians, least and most in brackets, ratios are taken round by round\n")
    print(HEAD, flush=True)
    rows = [row for row in ROWS if given.only in row.name]
    complete = [show(row, given.rounds, given.seconds) for row in rows]
    print("\nvariant | plies/s in pure Python | games/s", flush=True)
    slugs = [slug for slug in variants() if given.only in slug]
    complete += [show_pace(slug, given.rounds, given.seconds) for slug in slugs]
    print("\nattack, for each second | host's CPU time | charged | not charged", flush=True)
    attacks = [name for name in ATTACKS if given.only in f"attack {name}"]
    complete += [show_attack(name, given.rounds, given.seconds) for name in attacks]
    if given.only in PAGES:
        print(f"\n{PAGES}\n{HEAD}", flush=True)
        complete.append(show_pages(given.rounds))
    return 0 if all(complete) else 1


def show(row: Row, rounds: int, seconds: float) -> bool:
    """Measure and print a row; say whether there was something to measure."""
    try:
        measured = row.measure(rounds, seconds)
    except NotMeasured as reason:
        print(blank(row.name, row.goal), flush=True)
        print(f"bench: {row.name}: {reason}", file=sys.stderr)
        return False
    print(line(row.name, row.goal, measured), flush=True)
    return True


def show_pace(slug: str, rounds: int, seconds: float) -> bool:
    """Measure and print a variant's pace; say whether there was something to measure."""
    try:
        told = [sample(ours(slug), seconds) for _ in range(rounds)]
    except NotMeasured as reason:
        print(f"{slug} | not measured", flush=True)
        print(f"bench: {slug}: {reason}", file=sys.stderr)
        return False
    plies = [each["plies"] / each["seconds"] for each in told]
    games = [each["games"] / each["seconds"] for each in told]
    print(f"{slug} | {spread(plies)} | {spread(games)}", flush=True)
    return True


def show_pages(rounds: int) -> bool:
    """Measure and print all pages; say whether there was something to measure."""
    try:
        told = run(Program("pages", python=PRODUCT), "--rounds", str(rounds))
    except NotMeasured as reason:
        print("pages | not measured", flush=True)
        print(f"bench: pages: {reason}", file=sys.stderr)
        return False
    for page, figures in told.items():
        print(line(page, LIKE_A_SMALL_SITE, Measured("ms", **figures)), flush=True)
    return True


def show_attack(name: str, rounds: int, seconds: float) -> bool:
    """Measure and print what an attack costs whom; say whether there was something to measure."""
    program = Program("uncharged", (name,), python=PRODUCT)
    try:
        told = run(program, "--rounds", str(rounds), "--seconds", str(seconds))
    except NotMeasured as reason:
        print(f"{name} | not measured", flush=True)
        print(f"bench: {name}: {reason}", file=sys.stderr)
        return False
    used, charged = told["used"], told["charged"]
    rest = [one - other for one, other in zip(used, charged, strict=True)]
    print(" | ".join((name, *(f"{spread(each)} ms" for each in (used, charged, rest)))), flush=True)
    return True


def processor() -> str:
    """Name the processor, where the system tells."""
    try:
        facts = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [fact.partition(":")[2].strip() for fact in facts if fact.startswith("model name")]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    sys.exit(main())
