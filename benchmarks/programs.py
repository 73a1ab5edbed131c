"""Player programs as processes of the bench environment: one sample each, one line of JSON."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.figures import NotMeasured

ROOT = Path(__file__).resolve().parents[1]
LIMIT_S = 3600  # a big site takes long to fill
PRODUCT = str(ROOT / ".venv/bin/python")  # what the product runs with: it has Docker's library


@dataclass(frozen=True)
class Program:
    """A player: the module that plays, its arguments, what to put before the project's tree."""

    module: str
    arguments: tuple[str, ...] = ()
    before: tuple[Path, ...] = ()
    python: str = sys.executable


def plies_per_second(program: Program, seconds: float) -> float:
    """Let a program play for so much processor time. Raise NotMeasured."""
    told = sample(program, seconds)
    return float(told["plies"] / told["seconds"])


def sample(program: Program, seconds: float) -> dict[str, Any]:
    """Run a program once and give what it prints. Raise NotMeasured with its last line of woe."""
    return run(program, "--seconds", str(seconds))


def run(program: Program, *more: str) -> dict[str, Any]:
    """Run a program with more arguments. Raise NotMeasured likewise."""
    command = (program.python, "-P", "-m", f"benchmarks.players.{program.module}")
    path = os.pathsep.join(str(folder) for folder in (*program.before, ROOT))
    try:
        done = subprocess.run(
            (*command, *program.arguments, *more),
            capture_output=True,
            check=False,
            # One thread each: over small matrices many of them mostly wait for each other.
            env={**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"},
            text=True,
            timeout=LIMIT_S,
        )
    except subprocess.TimeoutExpired as late:
        raise NotMeasured(f"{program.module} took more than {LIMIT_S} s") from late
    except FileNotFoundError as missing:
        raise NotMeasured(f"no {program.python}: make run-env") from missing
    if done.returncode != 0:
        raise NotMeasured(f"{program.module}: {last_line(done.stderr)}")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def last_line(text: str, otherwise: str = "it ended without a word") -> str:
    """Return the last line that says something, as the one to show."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else otherwise
