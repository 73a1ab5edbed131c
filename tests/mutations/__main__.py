"""Make each change of `known.toml` in a copy of the project and run its test, which must fail.

The status is 1 where a change survives, or cannot be made or tried.
"""

import importlib.util
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests import tree

TABLE = Path(__file__).with_name("known.toml")
PASSED, FAILED = 0, 1  # what pytest ends with; anything else means that tests could not be run
# Tests and their examples are in the same order in every run.
PYTEST = (
    *("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:randomly"),
    "--hypothesis-seed=0",
)


class Mutation(NamedTuple):
    """A text of a file, what takes its place, and the test that fails then."""

    name: str
    file: str
    old: str
    new: str
    caught_by: str


def main() -> int:
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))["mutation"]
    chosen = [Mutation(**row) for row in rows]
    with TemporaryDirectory(prefix="drapeau-mutations-") as folder:
        copy = Path(folder)
        tree.copy_files(tree.tracked(), to=copy)
        if _run_tests(copy, *{mutation.caught_by for mutation in chosen}) != PASSED:
            _say("The tests of the known mutations fail where nothing was changed.")
            return 1
        _say("mutation | caught by | seconds")
        survived = sum(_try(copy, mutation) for mutation in chosen)
    _say(f"{len(chosen)} mutations, {survived} not caught")
    return 1 if survived else 0


def _try(copy: Path, mutation: Mutation) -> bool:
    """Say what comes of a mutation. Return whether there is a problem."""
    started = time.monotonic()
    problem = _problem(copy, mutation)
    told = problem or mutation.caught_by.partition("::")[2]
    _say(f"{mutation.name} | {told} | {time.monotonic() - started:.1f}")
    return bool(problem)


def _problem(copy: Path, mutation: Mutation) -> str:
    path = copy / mutation.file
    text = path.read_text(encoding="utf-8")
    found = text.count(mutation.old)
    if found != 1:
        return f"NOT MADE: the old text occurs {found} times"
    _write(path, text.replace(mutation.old, mutation.new))
    try:
        status = _run_tests(copy, mutation.caught_by)
    finally:
        _write(path, text)
    if status == PASSED:
        return "SURVIVED"
    return "" if status == FAILED else f"NOT TRIED: pytest ended with status {status}"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    # Python takes a compiled file for current by the second and the size of its source.
    Path(importlib.util.cache_from_source(path)).unlink(missing_ok=True)


def _run_tests(copy: Path, *tests: str) -> int:
    """Run tests in the copy, on an SQLite database of its own, and return pytest's status."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DRAPEAU_DATA_DIR": str(copy / "var"),
        "DATABASE_URL": f"sqlite:///{copy}/arena.sqlite3",
    }
    command = [sys.executable, *PYTEST, *tests]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, check=False)
    return done.returncode


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
