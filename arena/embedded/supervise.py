"""Start child processes, watch them, restart what dies, and end them all.

The one place that knows how. A child runs in its own process group, with its output in a log file,
and is told to end when its parent dies, however that happens. Nothing here runs in the background:
the owner calls `check()` several times a second from whatever loop it has.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from arena.embedded.interrupts import ENDING

POLL_S = 0.1
RESTART_LIMIT = 3  # deaths in a row
STEADY_S = 60.0  # a process that lived so long starts counting again

MARK = "SUPERVISOR_OF_DRAPEAU"  # no setting: nobody sets it
ROOT = Path(__file__).resolve().parents[2]  # the checkout, or where the packages are installed
DIE_WITH_PARENT = Path(__file__).with_name("die_with_parent.py")
LOG_MAX_BYTES = 10 * 1024 * 1024  # of a log at the start of its program; one older log is kept
_TAIL_LINES = 100  # a whole table of the doctor, and what to do about it


@dataclass(frozen=True)
class ServiceProgram:
    """What to run. `stop_s` is the time between `stop_signal` and SIGKILL; `fds` stay open."""

    name: str
    argv: tuple[str, ...]
    log: Path
    env: Mapping[str, str]
    user: str = ""
    stop_s: float = 10.0
    stop_signal: signal.Signals = signal.SIGTERM
    fds: tuple[int, ...] = ()

    def tail(self) -> str:
        """Return the last lines of the log, for a message to a person."""
        if not self.log.exists():
            return ""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-_TAIL_LINES:])


class GaveUp(Exception):
    """A program died too often, or was not ready in time."""

    def __init__(self, program: ServiceProgram, what: str) -> None:
        super().__init__(f"{program.name} {what}; its log is {program.log}")
        self.program = program


class _Child:
    """A program and the process it has at present."""

    def __init__(self, program: ServiceProgram, mark: str, backoff_s: float) -> None:
        self.program = program
        self._mark = mark
        self._backoff_s = backoff_s
        self._deaths = 0
        self._start_at = 0.0  # time.monotonic(); not before then
        self._started = 0.0
        self.process: subprocess.Popen[bytes] | None = None

    def launch(self) -> subprocess.Popen[bytes]:
        program = self.program
        program.log.parent.mkdir(parents=True, exist_ok=True)
        if program.log.exists() and program.log.stat().st_size > LOG_MAX_BYTES:
            program.log.replace(f"{program.log}.1")
        wrapper = (sys.executable, str(DIE_WITH_PARENT))
        self._started = time.monotonic()
        with program.log.open("ab") as log:
            self.process = subprocess.Popen(
                (*wrapper, str(os.getpid()), program.user, *program.argv),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=ROOT,
                env={**program.env, MARK: self._mark},
                start_new_session=True,
                pass_fds=program.fds,
            )
        return self.process

    def check(self) -> None:
        """Reap, and restart with a back-off; raise GaveUp at the third death in a row."""
        if self.process is None:
            if time.monotonic() >= self._start_at:
                self.launch()
            return
        status = self.process.poll()
        if status is None:
            return
        self.kill_group()
        steady = time.monotonic() - self._started >= STEADY_S
        self._deaths = 1 if steady else self._deaths + 1
        if self._deaths >= RESTART_LIMIT:
            raise GaveUp(self.program, f"died {self._deaths} times, last with status {status}")
        self._start_at = time.monotonic() + self._backoff_s * 2 ** (self._deaths - 1)

    def ask_to_end(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(self.program.stop_signal)

    def wait(self, deadline: float) -> None:
        """Wait until `deadline` (time.monotonic()), then end it and the rest of its group."""
        if self.process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.0, deadline - time.monotonic()))
        self.kill_group()

    def kill_group(self) -> None:
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process = None


class Supervisor:
    """The children of one owner.

    `mark` names the owner, so that a later one finds what was left behind (`end_leftovers`).
    `backoff_s` is the pause before the first restart; it doubles.
    """

    def __init__(self, mark: str, *, backoff_s: float = 1.0) -> None:
        self._mark = mark
        self._backoff_s = backoff_s
        self._children: list[_Child] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop()

    def start(self, program: ServiceProgram) -> None:
        child = _Child(program, self._mark, self._backoff_s)
        self._children.append(child)
        child.launch()

    def run(self, program: ServiceProgram) -> int:
        """Run a program that ends by itself, and return its status."""
        child = _Child(program, self._mark, self._backoff_s)
        self._children.append(child)
        status = child.launch().wait()
        self._children.remove(child)
        return status

    def check(self) -> None:
        """Restart what died. Raise GaveUp when something died too often."""
        for child in self._children:
            child.check()

    def wait_until(
        self, program: ServiceProgram, ready: Callable[[], bool], *, within_s: float
    ) -> None:
        """Watch all until `ready()`; raise GaveUp in the name of `program` after `within_s`."""
        deadline = time.monotonic() + within_s
        while not ready():
            self.check()
            if time.monotonic() > deadline:
                raise GaveUp(program, f"was not ready within {within_s:.0f} s")
            time.sleep(POLL_S)

    def pids(self) -> dict[str, int]:
        """Map program names to the processes they have now."""
        return {c.program.name: c.process.pid for c in self._children if c.process is not None}

    def stop(self) -> None:
        """End all, the last started first. A Ctrl-C that comes meanwhile waits."""
        held = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        try:
            for child in reversed(self._children):
                child.ask_to_end()
            started = time.monotonic()
            for child in reversed(self._children):
                child.wait(started + child.program.stop_s)
            self._children.clear()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)


def end_leftovers(mark: str) -> int:
    """Kill what an owner called `mark` left behind when it was killed itself; returns how many.

    Every child carries the mark in its environment. Only Linux shows that; elsewhere it is 0.
    Looks again until nothing is left, for one of them may just be starting another.
    """
    ended: set[int] = set()
    while pids := _carriers(f"{MARK}={mark}".encode()):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        ended.update(pids)
        time.sleep(POLL_S / 10)
    return len(ended)


def _carriers(variable: bytes) -> list[int]:
    pids = [int(entry.name) for entry in Path("/proc").glob("[0-9]*")]
    return [pid for pid in pids if pid != os.getpid() and variable in _environment(pid)]


def _environment(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:  # gone meanwhile, or somebody else's
        return []
