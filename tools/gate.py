"""Every check, in stages; the first failure ends it. `make test` starts the services for it.

Unit tests need no database. Integration tests run once, on PostgreSQL and Redis; those that depend
on the store run on SQLite too. End-to-end tests start whole sites; those with a browser come first,
because the networks of a stack would interrupt the browser's.
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
_SIDE_BY_SIDE = (*_PYTEST, "-n", "2")
# Some wait for containers, clocks and programs: one more than the cores of a small machine.
_OVERLAPPING = (*_PYTEST, "-n", "3")
# The tests of a file share a browser or a stack.
_FILE_BY_FILE = (*_SIDE_BY_SIDE, "--dist", "loadfile")
# Stacks wait for leases and for programs that start again. Files begin in the order of
# `tests/e2e/conftest.py`; by itself, xdist begins with those that have many tests.
_STACK_BY_STACK = (*_PYTEST, "-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")
UNIT = ("tests/unit", "engine/variants")


@dataclass(frozen=True)
class Stage:
    """One command, with `variables` added to the environment."""

    name: str
    command: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)


def static_stages() -> list[Stage]:
    """Return the checks that run nothing of the product."""
    return [
        Stage("format", (*_PYTHON, "-m", "ruff", "format", "--check", "--quiet", ".")),
        Stage("lint", (*_PYTHON, "-m", "ruff", "check", "--quiet", ".")),
        Stage("types", (*_PYTHON, "-m", "mypy")),
        Stage("imports", (str(Path(sys.executable).with_name("lint-imports")), "--no-cache")),
        Stage("templates", (*_PYTHON, "-m", "djlint", "--lint", "--quiet", "arena/templates")),
        Stage("prose", (*_PYTHON, "-m", "tools.prose")),
    ]


def unit_stages() -> list[Stage]:
    """Return the tests that need no service."""
    return [Stage("unit", (*_SIDE_BY_SIDE, *UNIT, "-m", "not soak"))]


def service_stages(environment: Mapping[str, str]) -> list[Stage]:
    """Return the tests that need the services, which `environment` names."""
    stores = {
        "DATABASE_URL": environment["DRAPEAU_TEST_POSTGRES_URL"],
        "DRAPEAU_BROKER_URL": environment["DRAPEAU_TEST_REDIS_URL"],
        "DRAPEAU_CACHE_URL": environment["DRAPEAU_TEST_REDIS_URL"].removesuffix("/0") + "/1",
    }
    rows, beside = "tests/integration", "not alone and not soak"
    return [
        Stage("integration", (*_OVERLAPPING, rows, "-m", beside), stores),
        Stage("integration, alone", (*_PYTEST, rows, "-m", "alone and not soak"), stores),
        Stage("on SQLite", (*_OVERLAPPING, rows, "-m", f"every_store and {beside}")),
        Stage("browser", (*_FILE_BY_FILE, "tests/e2e", "-m", "browser and not soak")),
        Stage("whole stacks", (*_STACK_BY_STACK, "tests/e2e", "-m", "not browser and not soak")),
    ]


def run(stages: Sequence[Stage], *, keep_going: bool = False) -> int:
    """Run the stages in order, up to the first that fails; with `keep_going`, run all of them.

    The last line printed is the summary of the last stage: public runners look for it there.
    Return the first status that is not 0.
    """
    status = 0
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
            status = status or done.returncode
            if not keep_going:
                break
        if number < len(stages):
            print(f"--- {stage.name}: {time.monotonic() - started:.0f} s", flush=True)
    return status


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tools.gate", description=__doc__)
    parser.add_argument("--only", choices=("static", "unit", "tests"), help="one part of it")
    parser.add_argument(
        "--keep-going", action="store_true", help="run the later stages too if one fails"
    )
    given = parser.parse_args()
    stages: list[Stage] = []
    if given.only in (None, "static"):
        stages += static_stages()
    if given.only != "static":
        stages += unit_stages()
    if given.only in (None, "tests"):
        stages += service_stages(os.environ)
    return run(stages, keep_going=given.keep_going)


if __name__ == "__main__":
    sys.exit(main())
