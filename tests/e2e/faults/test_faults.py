"""The suite on both stacks, for a short while; and proof that it can fail.

Each run is a process of its own, which prints the seed, the table, and what was not as it should
be. `python -m tests.faults --help` plays for longer.
"""

import subprocess
import sys

import pytest

from tests.faults.keeper import ROOT

SEEDS = ("1", "2", "3", "4")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]


def play(*options):
    """Run the suite; give its status and what it said."""
    command = [sys.executable, "-m", "tests.faults", *options]
    done = subprocess.run(
        command, check=False, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    sys.stdout.write(done.stdout)
    return done.returncode, done.stdout


@pytest.mark.docker
@pytest.mark.services
def test_nothing_is_lost_doubled_or_left_on_postgresql_redis_and_docker_whatever_dies():
    status, said = play("--stack", "postgres", "--minutes", "0.8", "--pause", "3")

    assert "all blows" in said
    assert status == 0


def test_nothing_is_lost_doubled_or_left_on_sqlite_and_the_filesystem_whatever_dies():
    status, said = play("--stack", "sqlite", "--minutes", "0.5", "--pause", "2")

    assert "all blows" in said
    assert status == 0


@pytest.mark.docker
@pytest.mark.services
def test_a_swiss_tournament_ends_as_if_nothing_had_been_killed_on_postgresql_and_docker():
    wish = ("--minutes", "0.6", "--pause", "2", "--rest", "5")
    status, said = play("--tournament", "swiss", "--rounds", "4", "--stack", "postgres", *wish)

    assert "all blows" in said
    assert status == 0


def test_a_double_elimination_ends_as_if_nothing_had_been_killed_on_sqlite():
    wish = ("--minutes", "0.5", "--pause", "2", "--rest", "5")
    status, said = play("--tournament", "double_elimination", "--stack", "sqlite", *wish)

    assert "all blows" in said
    assert status == 0


def test_a_round_that_is_drawn_in_pieces_is_missed():
    wish = ("--minutes", "0.4", "--pause", "2", "--rest", "0.4")
    found = "NOT AS IT SHOULD BE: the log has round_drawn"
    for seed in SEEDS:  # who draws has to die between two pieces
        status, said = play(
            "--tournament",
            "swiss",
            "--stack",
            "sqlite",
            *wish,
            "--seed",
            seed,
            "--sabotage",
            "drawn_apart",
        )
        if found in said:
            break

    assert found in said
    assert status == 1


@pytest.mark.parametrize(
    ("sabotage", "found"),
    [
        pytest.param("no_sweeper", "NOT AS IT SHOULD BE: abandoned: ", id="no_sweeper"),
        pytest.param("rated_apart", "NOT AS IT SHOULD BE: missing: ", id="rated_apart"),
    ],
)
def test_a_guard_that_is_taken_out_is_missed(sabotage, found):
    options = ("--stack", "sqlite", "--minutes", "0.4", "--pause", "1.5", "--rest", "0.5")

    for seed in SEEDS:  # one blow has to fall at the worst moment
        status, said = play(*options, "--seed", seed, "--sabotage", sabotage)
        if found in said:
            break

    assert found in said
    assert status == 1
