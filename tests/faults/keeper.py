"""Starts programs, starts again what has died, as a restart policy would, and kills.

Unlike `arena.embedded.supervise` it never gives up, and leaves the children of a killed process
alone: that they may go on as orphans is one of the faults.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from arena.embedded.supervise import DIE_WITH_PARENT, MARK, ServiceProgram, end_leftovers
from tests.tree import ROOT

RESTART_AFTER_S = 0.5
LOOK_S = 0.1


@dataclass(slots=True)
class _Kept:
    """A program and its present process; times are those of `time.monotonic()`."""

    program: ServiceProgram
    process: subprocess.Popen[bytes]
    started_s: float
    ended_s: float | None = None


class Keeper:
    """The programs of one run. Nothing happens by itself: call `check()` several times a second."""

    def __init__(self, mark: str) -> None:
        self._mark = mark  # names this run in the environment of every process
        self._kept: dict[str, _Kept] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop(*reversed(self._kept))

    def start(self, program: ServiceProgram) -> None:
        started_s = time.monotonic()
        self._kept[program.name] = _Kept(program, self._launch(program), started_s)

    def check(self) -> None:
        """Start again what has ended, after a moment."""
        now_s = time.monotonic()
        for kept in list(self._kept.values()):
            if kept.process.poll() is None:
                continue
            if kept.ended_s is None:
                kept.ended_s = now_s
            elif now_s - kept.ended_s >= RESTART_AFTER_S:
                self.start(kept.program)

    def until(
        self, condition: Callable[[], bool], *, within_s: float, every_s: float = LOOK_S
    ) -> bool:
        """Keep all alive until a condition holds, looked at so often; False where it never did."""
        end_s = time.monotonic() + within_s
        next_s = 0.0
        while time.monotonic() < end_s:
            self.check()
            if time.monotonic() >= next_s:
                if condition():
                    return True
                next_s = time.monotonic() + every_s
            time.sleep(LOOK_S)
        return False

    def kill(self, name: str, number: int = signal.SIGKILL) -> None:
        """Send a signal to the process that was started, and to nothing that it started."""
        with contextlib.suppress(ProcessLookupError):
            self._kept[name].process.send_signal(number)

    def kill_all_of(self, name: str) -> None:
        """Kill the process with its whole group, as the end of a container would."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._kept[name].process.pid, signal.SIGKILL)

    def child(self, name: str) -> int | None:
        """Return the first process that it started, if there is one."""
        pid = self._kept[name].process.pid
        try:
            listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        except OSError:
            return None
        return int(listed[0]) if listed else None

    def started_s(self, name: str) -> float:
        """Return the moment (`time.monotonic()`) at which its present process was started."""
        return self._kept[name].started_s

    def stop(self, *names: str) -> None:
        """Ask them to end, wait, and end whatever is left of all that they ever started."""
        ending = [self._kept.pop(name) for name in names]
        for kept in ending:
            if kept.process.poll() is None:
                kept.process.terminate()
        for kept in ending:
            with contextlib.suppress(subprocess.TimeoutExpired):
                kept.process.wait(kept.program.stop_s)
            end_leftovers(self._mark_of(kept.program))
            kept.process.wait()

    def _launch(self, program: ServiceProgram) -> subprocess.Popen[bytes]:
        wrapper = (sys.executable, str(DIE_WITH_PARENT))
        program.log.parent.mkdir(parents=True, exist_ok=True)
        with program.log.open("ab") as log:
            return subprocess.Popen(
                (*wrapper, str(os.getpid()), program.user, *program.argv),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=ROOT,
                env={**program.env, MARK: self._mark_of(program)},
                start_new_session=True,
            )

    def _mark_of(self, program: ServiceProgram) -> str:
        return f"{self._mark} {program.name}"


def send(process: int, number: int) -> bool:
    """Send a signal; False where the process is gone."""
    try:
        os.kill(process, number)
    except ProcessLookupError:
        return False
    return True
