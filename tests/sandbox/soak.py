"""Match after match in Docker, and what is there before and after: `python -m tests.sandbox.soak`.

Two bots play a short game in containers of the pool, again and again. Everything is counted before
the launcher begins and after it has closed, and must be the same; it ends with status 1 where not.
"""

import argparse
import gc
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from engine.record import verify
from engine.registry import find
from sandbox.launcher.embedded import Embedded
from sandbox.levels.isolation import by_engine
from tests.sandbox.attack import remains
from tests.sandbox.tables import open_for
from tests.unit.engine.refereed import record_of

BOT = b"""from botkit import Bot, run

class Any(Bot):
    def deploy(self, view):
        return "".join(self.rng.sample(view.roster, len(view.roster)))
    def act(self, view, legal):
        return self.rng.choice(legal)

run(Any)
"""
VARIANT = find("general")
PLIES = 10
WARM = 2
TELL_EVERY = 50


@dataclass(frozen=True)
class Soaked:
    """What there was before and after, by kind, and what each match took."""

    before: dict[str, set[str]]
    after: dict[str, set[str]]
    match_s: list[float]
    terminations: set[str]

    @property
    def left(self) -> dict[str, set[str]]:
        """What was not there before. What others left before may be gone meanwhile."""
        left = {what: found - self.before[what] for what, found in self.after.items()}
        return {what: found for what, found in left.items() if found}


def soak(matches: int, run_dir: Path, tell: Callable[[str], None] = lambda _words: None) -> Soaked:
    """Play so many matches one after the other."""
    run_dir.mkdir(exist_ok=True)
    gc.collect()  # what others left to the collector is not counted
    before = census(run_dir)
    match_s: list[float] = []
    terminations = set()
    isolation = by_engine()
    launcher = Embedded(run_dir, warm=WARM, oci_runtime=isolation.oci_runtime)
    isolation = replace(isolation, launcher=launcher)
    try:
        for number in range(matches):
            began_s = time.monotonic()
            with open_for(BOT, isolation, run_dir, VARIANT.seats) as table:
                record = record_of(VARIANT, number, {"max_plies": PLIES}, table=table)
            match_s.append(time.monotonic() - began_s)
            verify(record)
            terminations.add(str(record.result.termination))
            if (number + 1) % TELL_EVERY == 0:
                counts = {what: len(found) for what, found in census(run_dir).items()}
                tell(f"after {number + 1} matches, the pool alive: {counts}")
    finally:
        launcher.close()
    return Soaked(before, census(run_dir), match_s, terminations)


def census(run_dir: Path) -> dict[str, set[str]]:
    """Return what a match could leave behind: in this process, and because of a run directory."""
    return {
        "descriptors": remains.descriptors(),
        "threads": {f"{thread.name} {thread.ident}" for thread in threading.enumerate()},
        **{what: set(found) for what, found in remains.of(run_dir).items()},
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sandbox.soak", description=__doc__)
    parser.add_argument("--matches", type=int, default=500)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        soaked = soak(given.matches, Path(name).resolve() / "run", say)
    say(f"{given.matches} matches, ended by {', '.join(sorted(soaked.terminations))}")
    times = soaked.match_s
    say(f"seconds per match: median {median(times):.3f}, most {max(times):.3f}")
    say("what | before | after")
    for what, found in soaked.before.items():
        say(f"{what} | {len(found)} | {len(soaked.after[what])}")
    for what, found in soaked.left.items():
        say(f"{what} left: {', '.join(sorted(found))}")
    return 1 if soaked.left else 0


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
