"""Player programs as processes of the bench environment: one sample each, one line of JSON."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.bench.figures import NotMeasured

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 300


@dataclass(frozen=True)
class Program:
    """A player: the module that plays, its arguments, and what to put before the project's tree."""

    module: str
    arguments: tuple[str, ...] = ()
    before: tuple[Path, ...] = ()


def plies_per_second(program: Program, seconds: float) -> float:
    """Let a program play for so much processor time. Raises NotMeasured."""
    told = sample(program, seconds)
    return float(told["plies"] / told["seconds"])


def sample(program: Program, seconds: float) -> dict[str, Any]:
    """Run a program once and give what it prints. Raises NotMeasured with its last line of woe."""
    command = (sys.executable, "-P", "-m", f"tools.bench.players.{program.module}")
    path = os.pathsep.join(str(folder) for folder in (*program.before, ROOT))
    try:
        done = subprocess.run(
            (*command, *program.arguments, "--seconds", str(seconds)),
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONPATH": path},
            text=True,
            timeout=LIMIT_S,
        )
    except subprocess.TimeoutExpired as late:
        raise NotMeasured(f"{program.module} took more than {LIMIT_S} s") from late
    if done.returncode != 0:
        raise NotMeasured(f"{program.module}: {last_line(done.stderr)}")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def last_line(text: str, otherwise: str = "it ended without a word") -> str:
    """Give the last line that says something, as the one to show."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else otherwise
