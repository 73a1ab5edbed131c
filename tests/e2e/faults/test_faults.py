"""The suite on the stack of production, for a short while, with a fixed seed.

Each run is a process of its own, which prints the seed, the table, and what was not as it should
be. `python -m tests.faults --help` plays for longer; the soak does on every stack, in every format.
"""

import subprocess
import sys

import pytest

from tests.tree import ROOT

AT_ALL = (
    *("runner", "runner parent", "runner child", "runner frozen", "both runners"),
    "voided by staff",
    *("worker", "worker child", "beat", "web"),
)
AT_SERVICES = ("launcher", "redis", "postgres", "postgres, immediate", "dockerd")


def play(*options):
    """Run the suite; return its status and what it printed."""
    command = [sys.executable, "-m", "tests.faults", *options]
    done = subprocess.run(
        command, check=False, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    sys.stdout.write(done.stdout)
    return done.returncode, done.stdout


def struck(printed, names):
    """Return which of the blows are in the table."""
    found = {line[:22].rstrip() for line in printed.splitlines()}
    return found.intersection(names)


@pytest.mark.docker
@pytest.mark.services
def test_nothing_lost_doubled_or_left_whatever_dies():
    blows = (*AT_ALL, *AT_SERVICES)

    status, printed = play(
        "--stack", "postgres", "--seed", "1", "--minutes", "0.1", "--pause", "1.5"
    )

    assert struck(printed, blows) == set(blows)
    assert status == 0
