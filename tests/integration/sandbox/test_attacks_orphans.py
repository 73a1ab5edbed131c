"""Whatever is killed in mid-match, no bot is blamed for it and nothing stays."""

import os
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

from sandbox.levels.isolation import choose, reap
from tests.sandbox.attack import cases, dockers, match, remains, verdict
from tests.sandbox.attack.cases import victim
from tests.sandbox.attack.processes import launcher, playing, soon

pytestmark = pytest.mark.docker

PROGRAM = victim().files["bot.py"]
DEATH_MS = 5000
under_either = pytest.mark.parametrize("oci_runtime", ["runc", "runsc"], indirect=True)
BEHIND_A_LAUNCHER = ("good", "fork_bomb", "mem_bomb", "find_sockets")


@pytest.fixture
def short_dir():
    """A folder for a socket, whose path may not be long."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def is_clear(run_dir):
    return not any(remains.of(run_dir).values())


@under_either
@pytest.mark.usefixtures("oci_runtime")
def test_killed_runner_takes_its_bots_with_it(tmp_path):
    with playing(tmp_path) as game:
        game.kill()
        death_ms = soon(lambda: not list(remains.processes(tmp_path)))
    assert death_ms is not None
    assert death_ms < DEATH_MS
    assert soon(lambda: dockers.containers(tmp_path) == []) is not None
    assert reap(isolation=choose("docker"), work_dir=tmp_path) == 2
    assert is_clear(tmp_path)


@pytest.mark.parametrize(
    ("how", "oci_runtime"),
    [("process one", "runc"), ("docker rm", "runc"), ("process one", "runsc")],
    indirect=["oci_runtime"],
)
def test_container_ended_from_outside_makes_the_match_void(how, oci_runtime, tmp_path):
    with playing(tmp_path) as game:
        if how == "process one":
            os.kill(remains.process_one(tmp_path, PROGRAM), signal.SIGKILL)
        else:
            victim_id = dockers.containers(tmp_path)[0]
            subprocess.run(["docker", "rm", "-f", victim_id], check=True, capture_output=True)
        termination, fault, words = game.finish()
    assert (termination, fault) == ("void", "platform")
    assert "ended from outside" in words
    assert is_clear(tmp_path)


def test_killed_launcher_runner_is_cleared_up_after(tmp_path, short_dir):
    path = short_dir / "launcher"
    with (
        launcher(tmp_path, path),
        playing(tmp_path, DRAPEAU_LAUNCHER=f"unix://{path}") as game,
    ):
        game.kill()
        death_ms = soon(lambda: not list(remains.processes(tmp_path)))
        assert death_ms is not None
        assert death_ms < DEATH_MS
        assert soon(lambda: is_clear(tmp_path)) is not None, remains.of(tmp_path)


def test_bots_behind_a_launcher_meet_their_verdict(tmp_path, short_dir, monkeypatch):
    path = short_dir / "launcher"
    with launcher(tmp_path, path):
        monkeypatch.setenv("DRAPEAU_LAUNCHER", f"unix://{path}")
        isolation = choose("docker")
        assert isolation.launcher is not None
        for case in map(cases.read, BEHIND_A_LAUNCHER):
            assert verdict.complaints(case, match.fight(case, isolation, tmp_path)) == []
