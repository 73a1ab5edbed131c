"""The suite on both stacks, for a short while; and proof that it can fail.

Each run is a process of its own, which prints the seed, the table, and what was not as it should
be. `python -m tests.faults --help` plays for longer; the soak does on every stack.
"""

import os
import subprocess
import sys

import pytest

from tests.soak.jobs import SEED
from tests.tree import ROOT

SOAK_SEED = int(os.environ.get(SEED, "1"))
AT_ALL = (
    *("runner", "runner parent", "runner child", "runner frozen", "both runners"),
    "voided by staff",
    *("worker", "worker child", "beat", "web"),
)
AT_SERVICES = ("launcher", "redis", "postgres", "postgres, immediate", "dockerd")

pytestmark = [pytest.mark.timeout(1500)]


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
def test_nothing_is_lost_doubled_or_left_on_postgresql_redis_and_docker_whatever_dies():
    blows = (*AT_ALL, *AT_SERVICES)

    status, printed = play(
        "--stack", "postgres", "--seed", "1", "--minutes", "0.1", "--pause", "1.5"
    )

    assert struck(printed, blows) == set(blows)
    assert status == 0


def test_a_swiss_tournament_ends_as_if_nothing_had_been_killed_on_sqlite_and_the_filesystem():
    size = ("--tournament", "swiss", "--entrants", "5", "--rounds", "3")
    wish = ("--seed", "1", "--minutes", "0.4", "--pause", "1.5")

    status, printed = play("--stack", "sqlite", *size, *wish)

    assert struck(printed, AT_ALL) != set()
    assert "rounds                      3" in printed
    assert status == 0


def test_a_sweeper_that_is_taken_out_is_missed():
    wish = ("--seed", "1", "--minutes", "0.1", "--pause", "1", "--blow", "both runners")
    size = ("--tournament", "swiss", "--entrants", "5", "--rounds", "3", "--rest", "0.1")

    status, printed = play("--stack", "sqlite", "--sabotage", "no_sweeper", *size, *wish)

    assert "NOT AS IT SHOULD BE: abandoned: " in printed
    assert status == 1


@pytest.mark.soak
@pytest.mark.parametrize(
    ("sabotage", "found", "options"),
    [
        pytest.param("no_sweeper", "abandoned: ", ("--stack", "sqlite"), id="no_sweeper"),
        pytest.param("rated_apart", "missing: ", ("--stack", "sqlite"), id="rated_apart"),
        pytest.param(
            "drawn_apart",
            "the log has round_drawn",
            ("--stack", "sqlite", "--tournament", "swiss"),
            id="drawn_apart",
        ),
    ],
)
def test_a_guard_that_is_taken_out_is_missed(sabotage, found, options):
    wish = ("--minutes", "0.4", "--pause", "1.5", "--rest", "0.5")

    for seed in range(SOAK_SEED, SOAK_SEED + 4):  # one blow has to fall at the worst moment
        status, printed = play(*options, *wish, "--seed", str(seed), "--sabotage", sabotage)
        if found in printed:
            break

    assert f"NOT AS IT SHOULD BE: {found}" in printed
    assert status == 1
