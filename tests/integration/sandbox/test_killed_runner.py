"""A runner without containers, killed at any moment, leaves nothing that the next one keeps."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sandbox import limits
from sandbox.host.seating import place_bot
from sandbox.host.uid_slots import take_slot
from sandbox.levels import filter as system_calls
from sandbox.levels import local
from sandbox.levels.isolation import Isolation, reap
from sandbox.levels.namespaces import namespaces
from sandbox.uploads.unpacking import unpack
from tests.sandbox.attack import remains
from tests.sandbox.attack.processes import soon
from tests.tree import ROOT

STARTING = """
import sys
from pathlib import Path
from sandbox.levels.local import launch
from sandbox.uploads.unpacking import unpack
bot = unpack(b"import time; time.sleep(600)", "bot.py")
print("begins", flush=True)
started = [launch(sys.argv[1], bot, Path(sys.argv[2])) for _ in range(3)]
sys.stdin.read()
"""
MOMENTS_S = (0.0, 0.01, 0.02, 0.06)
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


@contextmanager
def half_started(place):
    """Yield bubblewrap while its inner process waits, and a pidfd of that inner process."""
    rules = system_calls.descriptor()
    read, write = os.pipe()
    never, kept = os.pipe()
    program, *options = namespaces(place.root, rules=rules, report=write)
    command = [program, "--block-fd", str(never), *options, "true"]
    with os.fdopen(read) as report, subprocess.Popen(command, pass_fds=(rules, write, never)) as it:
        for descriptor in (rules, write, never):
            os.close(descriptor)
        inside = os.pidfd_open(json.loads(report.read())["child-pid"])
        try:
            yield it, inside
        finally:
            it.kill()
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(inside, signal.SIGKILL)
            os.close(inside)
            os.close(kept)


def is_over(process, within_s=0.0):
    return bool(select.select([process], [], [], within_s)[0])


@pytest.fixture
def place(tmp_path):
    return place_bot(unpack(b"pass", "bot.py"), tmp_path, take_slot(tmp_path))


@pytest.mark.services
def test_reaping_ends_inner_process_outliving_outer_one(place, tmp_path):
    """Bubblewrap's inner process asks late to die with the outer one: here, never."""
    (place.root / "lib").mkdir()
    with half_started(place) as (outer, inside):
        place.abandon()
        outer.kill()
        outer.wait()
        assert not is_over(inside), "nothing was left, so this test shows nothing"

        assert reap(isolation=Isolation("bubblewrap", safe=False, reason=""), work_dir=tmp_path)

        assert is_over(inside)
        assert not place.root.exists()


SLEEP = "import time; print('runs', flush=True); time.sleep(600)"
BOT_USER = {"user": limits.FIRST_UID, "group": limits.FIRST_UID, "extra_groups": ()}


@pytest.mark.parametrize(
    ("command", "options", "is_ended"),
    [
        (["tail", "-f", "bot.py"], {}, False),
        ([sys.executable, "-c", SLEEP, "bot.py"], {}, False),
        (["tail", "-f", "bot.py"], BOT_USER, True),
        ([str(local.interpreter()), "bot.py"], {}, True),
    ],
)
def test_only_processes_of_bot_are_ended(tmp_path, command, options, is_ended):
    with TemporaryDirectory() as reachable:
        Path(reachable).chmod(0o755)
        place = place_bot(unpack(SLEEP.encode(), "bot.py"), Path(reachable), take_slot(tmp_path))
        entry = place.bot / "bot.py"
        entry.write_text(SLEEP + "\n")
        words = [str(entry) if word == "bot.py" else word for word in command]
        with subprocess.Popen(words, stdout=subprocess.PIPE, **options) as started:
            assert started.stdout is not None
            assert started.stdout.readline()  # now it is the program and no copy of this one

            local.end_left_over(place.slot)

            assert (started.poll() is not None) is is_ended
            started.kill()


def test_bot_does_not_start_for_dead_runner():
    prefix = local.if_parent_lives()
    said = subprocess.run([*prefix, "echo", "alive"], check=False, capture_output=True, text=True)
    assert said.stdout == "alive\n"
    prefix[-1] = "1"
    said = subprocess.run([*prefix, "echo", "alive"], check=False, capture_output=True, text=True)
    assert (said.stdout, said.returncode) == ("", 1)
