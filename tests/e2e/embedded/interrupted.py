"""How a start of a site is ended, and what it leaves that should not be there."""

import fcntl
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from arena.embedded.folder import LOCK
from tests.e2e.embedded.started import ENOUGH_S, IN_CHECKOUT, Started, processes_of

INTERRUPTED, ENDED = "Interrupted. Nothing is lost", "Ending. The next start"


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
