"""Programs of ours that tests start, hold in mid-match, and kill."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.tree import ROOT

WAIT_S = 60


class Runner:
    """A match in mid-game, in a process of its own."""

    def __init__(self, run_dir: Path, env: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.sandbox.attack.runner", str(run_dir)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, **env},
            text=True,
        )
        if self.process.stdout is None or self.process.stdout.readline() != "playing\n":
            raise RuntimeError("no match was begun")

    def finish(self) -> list[str]:
        """Let the match go on; give its termination, its fault, and the words of a void one."""
        said, _ = self.process.communicate("go on\n", timeout=WAIT_S)
        termination, fault, words = json.loads(said)
        return [termination, fault, words]

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=WAIT_S)


@contextmanager
def playing(run_dir: Path, **env: str) -> Iterator[Runner]:
    """Yield a match in mid-game; it is over when the block ends."""
    runner = Runner(run_dir, env)
    try:
        yield runner
    finally:
        if runner.process.poll() is None:
            runner.kill()


@contextmanager
def launcher(run_dir: Path, path: Path, **env: str) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a launcher that answers at a path; it is asked to end when the block does."""
    service = subprocess.Popen(
        [sys.executable, "-m", "tests.sandbox.serve", str(path)],
        cwd=ROOT,
        env={**os.environ, "DRAPEAU_RUN_DIR": str(run_dir), "DRAPEAU_WARM_CONTAINERS": "0", **env},
    )
    try:
        _wait_for_images(path)
        yield service
    finally:
        service.terminate()
        service.wait(WAIT_S)


def _wait_for_images(path: Path) -> None:
    env = {**os.environ, "DRAPEAU_LAUNCHER": f"unix://{path}"}
    command = [sys.executable, "-m", "sandbox", "images"]

    def answers() -> bool:
        done = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True)
        return done.returncode == 0

    if soon(answers) is None:
        raise RuntimeError("no launcher answers")


def soon(condition: Callable[[], bool], within_s: float = WAIT_S) -> float | None:
    """Wait for a condition; give the milliseconds that it took, None if it took too long."""
    began_s = time.monotonic()
    while time.monotonic() < began_s + within_s:
        if condition():
            return (time.monotonic() - began_s) * 1000
        time.sleep(0.005)
    return None
