"""Every check, in stages. `make test` and `make test-all` start the services for it.

Unit tests need no database. Integration tests run on PostgreSQL and Redis. A few end-to-end tests
(`smoke`) run beside them, because they mostly wait: a whole stack, a browser, every isolation
level. With `--all` the slow tests follow, those that need Docker or bubblewrap, those that depend
on the store once more on SQLite, and all tests with a browser. All stacks run beside these. What
must have the machine for itself comes last.

Tests that failed run once more at the end, alone. What fails again fails the gate. What passes then
is unstable: the last lines name it, and `var/unstable.txt` keeps the names.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from tools.services.environment import environment_of_tests
from tools.services.newer_debian import cache_dir

CORES = len(os.sched_getaffinity(0))

_PYTHON = (sys.executable,)
# The order of the tests and the seed of `random` are those of every other run.
_PYTEST = (sys.executable, "-m", "pytest", "-q", "-r", "fEs", "--randomly-seed", "1")
_UNIT = ("tests/unit", "engine/variants")
_ROWS = "tests/integration"
SLOW_FOLDERS = ("house_bots", "sandbox")  # of those: whole games, and what contains bots
_STACKS = "tests/e2e"
_SMOKE = "(smoke and not slow)"
# What only `make test-all` runs, besides all of tests/e2e that is no smoke test.
_LATER = "(slow or docker or services or alone)"
_REST_OF_STACKS = f"not browser and not {_SMOKE}"

POSTGRES, REDIS = "DRAPEAU_TEST_POSTGRES_URL", "DRAPEAU_TEST_REDIS_URL"
LOGS = Path("var/gate")
UNSTABLE = Path("var/unstable.txt")
MOST_TRIED_AGAIN = 100  # more tests of one stage do not fail by luck
TESTS_FAILED = 1  # pytest's status; others mean that pytest itself could not go on
_SUMMARY = re.compile(r"^=*\s*\d+ \w+.* in [\d.]+s\b")
_COUNT = re.compile(r"(\d+) (passed|skipped)\b")


@dataclass(frozen=True)
class Stage:
    """One command, with `variables` added to the environment."""

    name: str
    command: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)
    is_beside: bool = False  # runs beside those that follow, and is printed when it is over
    is_alone: bool = False  # waits until nothing runs beside it

    @property
    def has_tests(self) -> bool:
        return "pytest" in self.command

    @property
    def needs_services(self) -> bool:
        return self.has_tests and _UNIT[0] not in self.command

    @property
    def _slug(self) -> str:
        return re.sub(r"\W+", "-", self.name.lower()).strip("-")

    @property
    def log(self) -> Path:
        return LOGS / f"{self._slug}.log"

    @property
    def cache(self) -> Path:
        """The folder in which pytest keeps the names of the tests that failed."""
        return LOGS / f"{self._slug}.cache"

    def failed_tests(self) -> list[str]:
        """Return the ids of the tests that failed when the stage ran last."""
        kept = self.cache / "v" / "cache" / "lastfailed"
        return sorted(json.loads(kept.read_text())) if kept.exists() else []


def static_stages() -> list[Stage]:
    """Return the checks that run nothing of the product."""
    return [
        Stage("format", (*_PYTHON, "-m", "ruff", "format", "--check", "--quiet", ".")),
        Stage("lint", (*_PYTHON, "-m", "ruff", "check", "--quiet", ".")),
        _types("types", "mypy"),
        _types("types of examples", "tools.typed_examples"),
        Stage("imports", (str(Path(sys.executable).with_name("lint-imports")), "--no-cache")),
        Stage("templates", (*_PYTHON, "-m", "djlint", "--lint", "--quiet", "arena/templates")),
        Stage("prose", (*_PYTHON, "-m", "tools.prose")),
    ]


def _types(name: str, module: str) -> Stage:
    """Return a stage of mypy. All checkouts share its cache, one at a time.

    What fails is tried again without the cache, which may name modules that are gone.
    """
    cache = cache_dir() / name.replace(" ", "-")
    cache.mkdir(parents=True, exist_ok=True)
    again = '"$@" > /dev/null 2>&1 || { rm -rf "$MYPY_CACHE_DIR"/*; exec "$@"; }'
    command = ("flock", str(cache), "sh", "-c", again, "sh", *_PYTHON, "-m", module)
    return Stage(name, command, {"MYPY_CACHE_DIR": str(cache)})


def _tests(
    name: str,
    processes: int,
    *words: str,
    variables: Mapping[str, str] | None = None,
    is_beside: bool = False,
    is_alone: bool = False,
) -> Stage:
    """Return a stage of tests in so many processes; the last word says which marks they have."""
    *rest, marks = words
    options = ("-n", str(processes), *rest) if processes else tuple(rest)
    command = (*_PYTEST, *options, "-m", f"({marks}) and not soak")
    return Stage(name, command, variables or {}, is_beside, is_alone)


def stages_of_tests(environment: Mapping[str, str], *, is_all: bool) -> list[Stage]:
    """Return the stages of tests; `environment` names the services.

    The tests of a file share a browser or a stack, so a file of them has one process.
    """
    stores = {
        "DATABASE_URL": environment.get(POSTGRES, ""),
        "DRAPEAU_BROKER_URL": environment.get(REDIS, ""),
        "DRAPEAU_CACHE_URL": environment.get(REDIS, "").removesuffix("/0") + "/1",
    }
    files = ("--dist", "loadfile")
    # A file takes time to collect, even if none of its tests is chosen.
    without_slow = [f"--ignore={_ROWS}/{folder}" for folder in SLOW_FOLDERS]
    stages = [
        _tests("end to end", 2, *files, _STACKS, _SMOKE, is_beside=True),
        _tests("unit", CORES, *_UNIT, "not slow"),
        _tests("integration", CORES, *without_slow, _ROWS, f"not {_LATER}", variables=stores),
    ]
    if not is_all:
        return stages
    # These wait for containers, clocks and programs: one process more than there are cores.
    more = CORES + 1
    # Files of stacks begin in the order of `tests/e2e/conftest.py`; by itself, xdist begins with
    # those that have many tests.
    in_order = (*files, "--no-loadscope-reorder")
    return [
        *stages,
        # They mostly wait, too.
        _tests("whole stacks", 2, *in_order, _STACKS, _REST_OF_STACKS, is_beside=True),
        _tests("unit, slow", CORES, *_UNIT, "slow"),
        _tests(
            *("integration, slow", more, _ROWS, "benchmarks", f"{_LATER} and not alone"),
            variables=stores,
        ),
        _tests("on SQLite", more, _ROWS, "every_store and not alone"),
        _tests("browser", CORES, *files, _STACKS, f"browser and not {_SMOKE}"),
        _tests("integration, alone", 0, _ROWS, "alone", variables=stores, is_alone=True),
    ]


class Gate:
    """Runs stages, then the tests that failed once more, and says what came of it."""

    def __init__(self, *, keep_going: bool = False) -> None:
        self._keep_going = keep_going
        self._began = time.monotonic()
        self._counts = Counter[str]()
        self._faults: list[str] = []  # what failed for good, where its log is, how to repeat it
        self._again: list[Stage] = []
        self._unstable: list[str] = []

    def run(self, stages: Sequence[Stage]) -> int:
        """Run the stages in order, and the failed tests again. Return 0 if the gate passes.

        The first stage that fails for good ends the run, unless it is to `keep_going`.
        """
        with ThreadPoolExecutor() as threads:
            beside: list[Future[None]] = []
            for number, stage in enumerate(stages, start=1):
                if self._faults and not self._keep_going:
                    break
                place = f"{number}/{len(stages)} {stage.name}"
                if stage.is_alone:
                    wait(beside)
                if stage.is_beside:
                    beside.append(threads.submit(self._run_stage, stage, place))
                else:
                    self._run_stage(stage, place)
            for running in beside:
                running.result()
        for stage in self._again:
            # Alone: one test after the other and nothing beside.
            failed = stage.failed_tests()
            again = ("-n", "0", "--last-failed", "--last-failed-no-failures", "none")
            name = f"{stage.name}, second try"
            second = Stage(name, (*stage.command, *again), stage.variables)
            status = self._execute(second, f"{name} of {len(failed)}", cache=stage.cache)
            still = stage.failed_tests()
            unstable = [test for test in failed if test not in still]
            self._unstable += unstable
            self._counts["passed"] += len(unstable)
            if status != 0:
                _say(f"--- {name} failed with status {status}")
                self._fail(second, still, of=stage)
        self._conclude()
        return int(bool(self._faults))

    def _run_stage(self, stage: Stage, title: str) -> None:
        shutil.rmtree(stage.cache, ignore_errors=True)
        status = self._execute(stage, title)
        if status == 0:
            return
        failed = stage.failed_tests() if stage.has_tests and status == TESTS_FAILED else []
        if 0 < len(failed) <= MOST_TRIED_AGAIN:
            self._again.append(stage)
            return
        _say(f"--- {stage.name} failed with status {status}")
        self._fail(stage, failed[:MOST_TRIED_AGAIN])

    def _execute(self, stage: Stage, title: str, cache: Path | None = None) -> int:
        """Run a command, print what it prints, and keep that in its log. Return its status."""
        _say(f"--- {title}")
        began = time.monotonic()
        command = list(stage.command)
        if stage.has_tests:
            command += ["-o", f"cache_dir={cache or stage.cache}"]
            command += ["--junitxml", str(stage.log.with_suffix(".xml"))]  # it has the durations
        stage.log.parent.mkdir(parents=True, exist_ok=True)
        with (
            stage.log.open("w") as log,
            subprocess.Popen(
                command,
                env={**environment_of_tests(), **stage.variables},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            ) as process,
        ):
            summary = ""
            for line in process.stdout or ():
                log.write(line)
                if not stage.is_beside:
                    sys.stdout.write(line)
                    sys.stdout.flush()
                summary = line if _SUMMARY.match(line) else summary
        if stage.is_beside:
            _say(f"--- {stage.name}, which ran beside\n{stage.log.read_text().rstrip()}")
        if cache is None:
            self._counts.update({what: int(number) for number, what in _COUNT.findall(summary)})
        _say(f"--- {stage.name}: {time.monotonic() - began:.0f} s")
        return process.returncode

    def _fail(self, stage: Stage, tests: Sequence[str], of: Stage | None = None) -> None:
        arguments = shlex.join(["--only", (of or stage).name, *tests])
        self._counts["failed"] += len(tests) or 1
        self._faults += [
            *(f"failed: {test}" for test in tests or [stage.name]),
            f"log: {stage.log}",
            f"repeat: make test ARGS={shlex.quote(arguments)}",
        ]

    def _conclude(self) -> None:
        """Print what failed, what is unstable, and last a summary like that of pytest."""
        UNSTABLE.parent.mkdir(parents=True, exist_ok=True)
        UNSTABLE.write_text("".join(f"{test}\n" for test in self._unstable))
        for line in self._faults:
            print(line)
        print(f"unstable: {len(self._unstable)}")
        for test in self._unstable:
            print(f"unstable: {test}")
        counts = [f"{number} {what}" for what, number in self._counts.items() if number]
        took_s = time.monotonic() - self._began
        print(f"{', '.join(counts) or 'no tests'} in {took_s:.2f}s", flush=True)


def _say(words: str) -> None:
    """Print lines at once, so that those of two threads do not mix."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def chosen(stages: Sequence[Stage], tests: Sequence[str]) -> list[Stage]:
    """Return the stages with only these tests, each by its path or id, one after the other."""
    if not tests:
        return list(stages)
    return [
        Stage(stage.name, (*_PYTEST, *tests, "-m", stage.command[-1]), stage.variables)
        for stage in stages
        if stage.has_tests
    ]


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tools.gate", description=__doc__)
    parser.add_argument(
        "--all", action="store_true", help="the slow tests too, Docker, SQLite, browsers and stacks"
    )
    parser.add_argument(
        "--only", metavar="STAGE", help="static, tests, or a stage by its name, such as unit"
    )
    parser.add_argument(
        "--keep-going", action="store_true", help="run the later stages too if one fails"
    )
    parser.add_argument("tests", nargs="*", help="of that stage only these files or tests")
    given = parser.parse_args()
    named = given.only not in (None, "static", "tests")
    static, tests = static_stages(), stages_of_tests(os.environ, is_all=given.all or named)
    first, *later = tests  # it mostly waits, so it begins before the static checks
    every = [first, *static, *later]
    groups = {None: every, "static": static, "tests": tests}
    wanted = groups.get(given.only) or [stage for stage in every if stage.name == given.only]
    if not wanted or (given.tests and len(wanted) > 1):
        names = ", ".join(stage.name for stage in every)
        parser.error(f"--only names one of these stages: static, tests, {names}")
    if any(stage.needs_services for stage in wanted) and POSTGRES not in os.environ:
        parser.error("these stages need the services: use `make test`, with ARGS for options")
    return Gate(keep_going=given.keep_going).run(chosen(wanted, given.tests))


if __name__ == "__main__":
    sys.exit(main())
