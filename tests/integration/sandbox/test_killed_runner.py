"""A runner without containers, killed at any moment, leaves nothing that the next one keeps."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sandbox.host.clearing import clear
from sandbox.levels import local
from sandbox.levels.isolation import Isolation, reap
from tests.sandbox.attack import remains
from tests.sandbox.attack.processes import soon
from tests.tree import ROOT

STARTING = """
import sys
from pathlib import Path
from sandbox.levels.local import launch
from sandbox.uploads.package import unpack
bot = unpack(b"import time; time.sleep(600)", "bot.py")
print("begins", flush=True)
started = [launch(sys.argv[1], bot, Path(sys.argv[2])) for _ in range(3)]
sys.stdin.read()
"""
MOMENTS_S = (0.0, 0.005, 0.01, 0.015, 0.02, 0.03, 0.06)
LEVELS = ["process", pytest.param("bubblewrap", marks=pytest.mark.services)]


def killed(level, run_dir, after_s):
    """Kill a runner while it starts bots."""
    with subprocess.Popen(
        [sys.executable, "-c", STARTING, level, str(run_dir)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as runner:
        assert runner.stdout is not None
        assert runner.stdout.readline() == b"begins\n"
        time.sleep(after_s)
        runner.send_signal(signal.SIGKILL)


def left_alive(run_dir):
    """Return the processes that name the run directory, and those that work in it."""
    mark = f"{run_dir}/".encode()
    named = [
        path.name
        for path in Path("/proc").glob("[0-9]*")
        if path.name != str(os.getpid()) and mark in remains.arguments(path)
    ]
    return sorted({*named, *remains.processes(run_dir)})


@pytest.mark.parametrize("level", LEVELS)
def test_reaping_ends_all_that_a_killed_runner_left(level, tmp_path):
    isolation = Isolation(level, safe=False, reason="")

    def is_clear():
        # A child that is just being started holds the slot for a moment longer than its parent.
        reap(isolation=isolation, work_dir=tmp_path)
        return not left_alive(tmp_path) and not list(tmp_path.glob("bot-*"))

    for after_s in MOMENTS_S:
        killed(level, tmp_path, after_s)
        assert soon(is_clear) is not None


@pytest.mark.services
def test_without_reaping_something_would_be_left(tmp_path):
    """Bubblewrap's inner process outlives an outer one that is killed early enough."""
    for after_s in MOMENTS_S * 30:
        killed("bubblewrap", tmp_path, after_s)
        clear(tmp_path, end=lambda _slot: None)
        if left := left_alive(tmp_path):
            break
    else:
        pytest.fail("nothing was ever left, so the test above shows nothing")
    for each in left:
        os.kill(int(each.split()[0]), signal.SIGKILL)


def test_a_bot_does_not_start_for_a_runner_that_is_gone():
    prefix = local.if_parent_lives()
    said = subprocess.run([*prefix, "echo", "alive"], check=False, capture_output=True, text=True)
    assert said.stdout == "alive\n"
    prefix[-1] = "1"
    said = subprocess.run([*prefix, "echo", "alive"], check=False, capture_output=True, text=True)
    assert (said.stdout, said.returncode) == ("", 1)
