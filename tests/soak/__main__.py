"""Run what takes too long for `make test`, one job after the other.

Every job has a seed of its own, drawn afresh unless `--seed` gives it, and printed: `--only NAME
--seed N` repeats a job. A job that fails does not stop the others; the status is 1 where one did.
"""

import argparse
import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.soak.jobs import JOBS, SEED, Job

ROOT = Path(__file__).resolve().parents[2]
# How a job sums up: a line of its own, or the last one of pytest.
FIGURES = re.compile(r"^(?:Figures: (.+)|=* ?(\d+ (?:passed|failed|error).*?) ?=*)$", re.MULTILINE)


@dataclass(frozen=True)
class Done:
    """A job that is over."""

    job: Job
    seed: int
    took_s: float
    status: int
    figures: str


def run(job: Job, seed: int, minutes: float) -> Done:
    """Run a job and pass on what it prints."""
    line = job.line(seed, minutes)
    say(f"--- {job.name}, seed {seed}: {' '.join(line[1:])}")
    began_s = time.monotonic()
    printed = []
    with subprocess.Popen(
        line,
        cwd=ROOT,
        env={**os.environ, SEED: str(seed)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        for each in process.stdout:
            printed.append(each)
            say(each.rstrip("\n"))
    found = [one or other for one, other in FIGURES.findall("".join(printed))]
    figures = "; ".join(found) or "none"
    return Done(job, seed, time.monotonic() - began_s, process.returncode, figures)


def run_all(jobs: Sequence[Job], seed: int | None, minutes: float) -> int:
    """Run the jobs, print a table of all, and return 1 where one failed."""
    everything = [
        run(job, secrets.randbelow(10**6) if seed is None else seed, minutes) for job in jobs
    ]
    say("\n" + table(everything))
    return int(any(done.status != 0 for done in everything))


def table(everything: Sequence[Done]) -> str:
    """Return a line for each job that is over."""
    rows = [("job", "seed", "seconds", "status", "figures")]
    for done in everything:
        status = "passed" if done.status == 0 else f"FAILED ({done.status})"
        rows.append((done.job.name, str(done.seed), f"{done.took_s:.0f}", status, done.figures))
    return "\n".join(
        f"{name:26} {seed:>7} {seconds:>8}  {status:12} {figures}"
        for name, seed, seconds, status, figures in rows
    )


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    names = {job.name: job for job in JOBS}
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the jobs and what they show")
    parser.add_argument("--only", choices=names, action="append", help="this job, or these")
    parser.add_argument("--seed", type=int, help="of every job; drawn for each without it")
    parser.add_argument(
        "--minutes", type=float, default=5.0, help="about so many for each job that can be scaled"
    )
    given = parser.parse_args(arguments)
    if given.list:
        say("\n".join(f"{job.name:26} {job.shows}" for job in JOBS))
        return 0
    return run_all([names[name] for name in given.only or names], given.seed, given.minutes)


if __name__ == "__main__":
    sys.exit(main())
