"""Every check, in stages, the first failure ending it. `make test` runs this amid the services.

The whole suite on the embedded default comes last, so that its summary is the last line.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_PYTHON = (sys.executable,)
_PYTEST = (sys.executable, "-m", "pytest", "-q", "-r", "fEs")
# Formats are functions of plain data, the same on every store.
_ON_STORES = ("tests/arena", "tests/api", "tests/web", "--ignore=tests/arena/formats")


@dataclass(frozen=True)
class Stage:
    """One command, with `variables` added to the environment."""

    name: str
    command: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)


def static_stages() -> list[Stage]:
    return [
        Stage("format", (*_PYTHON, "-m", "ruff", "format", "--check", "--quiet", ".")),
        Stage("lint", (*_PYTHON, "-m", "ruff", "check", "--quiet", ".")),
        Stage("types", (*_PYTHON, "-m", "mypy")),
        Stage("imports", (str(Path(sys.executable).with_name("lint-imports")), "--no-cache")),
    ]


def test_stages(environment: Mapping[str, str]) -> list[Stage]:
    """Tests on PostgreSQL and Redis, whole stacks, long games, all others; needs the services."""
    stores = {
        "DATABASE_URL": environment["DRAPEAU_TEST_POSTGRES_URL"],
        "DRAPEAU_BROKER_URL": environment["DRAPEAU_TEST_REDIS_URL"],
        "DRAPEAU_CACHE_URL": environment["DRAPEAU_TEST_REDIS_URL"].removesuffix("/0") + "/1",
    }
    small, quick = "not browser and not docker", "not slow and not long"
    side_by_side = (*_PYTEST, "-n", "2", "-m")
    # Alone on the machine: the slow ones start whole sites and have time-outs.
    alone = (*_PYTEST, "-m")
    return [
        Stage("postgresql and redis", (*side_by_side, f"{small} and {quick}", *_ON_STORES), stores),
        Stage("workers on them", (*alone, f"{small} and slow", *_ON_STORES), stores),
        Stage("whole stack", (*alone, "slow")),
        Stage("rules at length", (*side_by_side, "long")),
        Stage("suite", (*side_by_side, quick)),
    ]


def run(stages: Sequence[Stage]) -> int:
    """Run the stages in order and give the first status that is not 0."""
    for number, stage in enumerate(stages, start=1):
        print(f"--- {number}/{len(stages)} {stage.name}", flush=True)
        started = time.monotonic()
        done = subprocess.run(
            stage.command,
            check=False,
            env={**os.environ, **stage.variables},
        )
        if done.returncode != 0:
            print(f"--- {stage.name} failed with status {done.returncode}", file=sys.stderr)
            return done.returncode
        if number < len(stages):
            print(f"--- {stage.name}: {time.monotonic() - started:.0f} s", flush=True)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.gate", description=__doc__)
    parser.add_argument("--only", choices=("static", "tests"), help="one half of it")
    given = parser.parse_args()
    stages = [] if given.only == "tests" else static_stages()
    if given.only != "static":
        stages += test_stages(os.environ)
    return run(stages)


if __name__ == "__main__":
    sys.exit(main())
