"""A site that is ended at any moment leaves nothing, and its next start goes on.

`python -m tests.e2e.embedded.interrupted --ends 20 --seed 1` starts a site again and again on one
folder, ends it at a random moment, and looks at what is left.
"""

import argparse
import fcntl
import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from arena.embedded.folder import DATABASE, LOCK
from tests.e2e.embedded.started import ENOUGH_S, IN_CHECKOUT, Started, processes_of

LATEST_S = 20.0  # about when the site is ready on a busy machine
AGAIN_S = 1.0
INTERRUPTED, ENDED = "Interrupted. Nothing is lost", "Ending. The next start"
BY_CTRL_C = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class End:
    """How a start is ended: when, by which signals to its process group, and how far apart."""

    signals: tuple[signal.Signals, ...]
    after_s: float = 0.0
    once_it_says: str = ""
    apart_s: float = 0.0

    def __str__(self) -> str:
        when = self.once_it_says or f"{self.after_s:.2f} s"
        return f"{' and '.join(each.name for each in self.signals)} after {when}"


def random_end(chance: random.Random) -> End:
    """Draw a moment. One of five ends is a kill, and half of the others come twice."""
    after_s, apart_s = chance.uniform(0, LATEST_S), chance.uniform(0, AGAIN_S)
    if chance.random() < 0.2:
        return End((signal.SIGKILL,), after_s)
    which = tuple(chance.choices(BY_CTRL_C, k=chance.choice((1, 2))))
    return End(which, after_s, apart_s=apart_s)


def faults_of(end: End, folder: Path) -> list[str]:
    """Start the site in a folder, end it, and return all that is not as it should be."""
    scratch = folder / "tmp"
    scratch.mkdir(exist_ok=True)
    site = Started(folder, *IN_CHECKOUT, TMPDIR=str(scratch))
    try:
        if end.once_it_says:
            site.wait_for(site.err, end.once_it_says)
        time.sleep(end.after_s)
        for each in end.signals:
            if site.process.poll() is None:
                os.killpg(site.process.pid, each)
            time.sleep(end.apart_s)
        status = site.process.wait(ENOUGH_S)
        said = site.out.read_text() + site.err.read_text()
        if signal.SIGKILL in end.signals:
            return []  # what is left then, the next start ends
        return [*_of_its_end(status, said, end), *what_is_left(site.data_dir, scratch)]
    finally:
        site.end()


def _of_its_end(status: int, said: str, end: End) -> list[str]:
    if INTERRUPTED in said:
        wanted = [130]
    elif ENDED in said:
        wanted = [0]
    else:
        wanted = [-each for each in end.signals]  # so early that nothing was begun
    found = [] if status in wanted else [f"status {status} in place of {wanted}"]
    return [*found, "a traceback"] if "Traceback" in said else found


def what_is_left(data_dir: Path, scratch: Path) -> list[str]:
    found = [f"process {line}" for line in processes_of(data_dir)]
    found += [f"file {path}" for path in scratch.iterdir()]
    for pattern in ("**/*.part", "**/*.partial", "wheels/.*", "run/*/*"):
        found += [f"file {path}" for path in data_dir.glob(pattern) if path.suffix != ".lock"]
    if (data_dir / LOCK).exists():
        with (data_dir / LOCK).open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                found.append("the lock")
    return found


def faults_of_the_next_start(folder: Path) -> list[str]:
    """Start the site once more until it is ready, and end it."""
    found = faults_of(End((signal.SIGINT,), once_it_says="Ctrl-C stops it."), folder)
    with closing(sqlite3.connect(folder / "site" / DATABASE)) as database:
        (integrity,) = database.execute("PRAGMA integrity_check").fetchone()
    return [*found, *([] if integrity == "ok" else [f"the database: {integrity}"])]


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ends", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="drapeau-interrupted-") as name:
        for number in range(given.ends):
            folder = Path(name) / str(number // 5)  # a fresh one now and then
            folder.mkdir(exist_ok=True)
            end = random_end(chance)
            found = faults_of(end, folder)
            if number % 5 == 4:
                found += faults_of_the_next_start(folder)
            wrong += bool(found)
            _say(f"{end}: {'; '.join(found) or 'nothing is left'}")
    _say(f"Figures: {given.ends} ends, {wrong} with faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
