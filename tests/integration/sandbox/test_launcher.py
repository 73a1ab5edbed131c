"""Containers that wait for their bots."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.host.uid_slots import notes
from sandbox.launcher import docker_engine
from sandbox.launcher.embedded import Embedded
from sandbox.launcher.order import Order
from sandbox.levels import container
from sandbox.levels.isolation import Isolation, choose, reap
from sandbox.table import Admission, open_table
from sandbox.uploads.unpacking import unpack
from tests.sandbox.attack import remains
from tests.sandbox.launchers import (
    ORDER,
    WHO,
    ask,
    containers,
    nothing_left,
)
from tests.tree import ROOT
from tests.waiting import until

pytestmark = [pytest.mark.docker]

WARM = 2
STARTING = """
import sys
from pathlib import Path
from sandbox.levels import container
from sandbox.launcher.embedded import Embedded
from tests.sandbox.launchers import ORDER
launcher = Embedded(Path(sys.argv[1]), warm=2)
print("begins", flush=True)
running = []
while True:
    running.append(container.start(launcher, ORDER))
    if len(running) > 1:
        running.pop(0).close()
"""


@pytest.fixture
def launcher(tmp_path):
    launcher = Embedded(tmp_path, warm=WARM)
    yield launcher
    launcher.close()
    assert nothing_left(tmp_path)


def settle(launcher, running=0):
    """Wait until the keeper has nothing to do: but for what runs, all is ready and cleared."""
    keeper = launcher._pool
    until(lambda: len(keeper._waiting["python"]) == WARM)
    until(lambda: len(notes(launcher._run_dir)) == WARM + running)


def test_no_bot_plays_under_runtime_unlike_record(tmp_path):
    launcher = Embedded(tmp_path, oci_runtime="runc")
    isolation = Isolation("docker", safe=True, reason="", launcher=launcher, oci_runtime="runsc")
    seats = {"red": unpack(WHO, "bot.py")}
    reason = "now starts containers under runc, and the record would name runsc"
    try:
        with (
            pytest.raises(PlatformFault, match=reason),
            open_table(isolation=isolation, seats=seats, work_dir=tmp_path, admission=Admission()),
        ):
            pass
    finally:
        launcher.close()
    assert nothing_left(tmp_path)


def test_a_waiting_container_is_used_once_and_replaced(launcher, tmp_path):
    container.start(launcher, ORDER).close()
    settle(launcher)
    ever: set[str] = set()
    for _ in range(3):
        waiting = containers(tmp_path)
        assert len(waiting) == WARM
        assert waiting & ever == set()

        running = container.start(launcher, ORDER)
        settle(launcher, running=1)
        assert len(containers(tmp_path)) == WARM + 1
        assert waiting < containers(tmp_path)
        assert ask(running).endswith(b" x\n")
        running.close()
        settle(launcher)

        used = waiting - containers(tmp_path)
        assert len(used) == 1
        ever |= used
    assert len(ever) == 3


def test_dead_waiting_container_is_not_given_to_bot(launcher, tmp_path):
    container.start(launcher, ORDER).close()
    settle(launcher)
    with docker_engine.connected() as engine:
        docker_engine.remove_all(engine, tmp_path, slot(tmp_path))

    for _ in range(WARM + 1):
        running = container.start(launcher, ORDER)
        assert ask(running).endswith(b" x\n")
        running.close()


def slot(run_dir):
    """Return a slot that is in use."""
    return min(notes(run_dir))


def test_a_runtime_that_nobody_uses_cools(launcher, tmp_path, monkeypatch):
    container.start(launcher, ORDER).close()
    settle(launcher)

    monkeypatch.setattr(limits, "WARM_S", 0)
    container.start(launcher, Order("node", "bot.js", {"bot.js": b""})).close()

    until(lambda: nothing_left(tmp_path))


def test_container_returned_after_closing_is_cleared_at_once(tmp_path):
    launcher = Embedded(tmp_path, warm=WARM)
    running = container.start(launcher, ORDER)
    launcher.close()
    assert ask(running).endswith(b" x\n")
    running.close()
    assert nothing_left(tmp_path)


def test_an_order_that_comes_to_nothing_leaves_nothing(launcher, tmp_path):
    before = len(remains.descriptors())
    clash = Order("python", "bot.py", {"bot.py": WHO, "a": b"", "a/b": b""})
    with pytest.raises(PlatformFault, match="did not take its order"):
        launcher.launch(clash)
    launcher.close()
    assert nothing_left(tmp_path)
    assert len(remains.descriptors()) == before


def test_an_image_that_is_not_there_is_named(launcher, tmp_path, monkeypatch):
    monkeypatch.setenv("DRAPEAU_RUNTIME_IMAGE", "never-made-{runtime}:1")
    assert launcher.images() == {}
    with pytest.raises(PlatformFault, match="no image never-made-python:1"):
        launcher.launch(ORDER)


def test_image_lost_by_engine_is_looked_up_again(launcher):
    launcher._images = {"python": f"sha256:{0:064}"}
    with pytest.raises(PlatformFault, match="lost an image"):
        launcher.launch(ORDER)
    container.start(launcher, ORDER).close()


def test_peak_memory_is_known_after_the_end_too(launcher):
    code = b"kept = bytearray(b'x') * (50 << 20)\nprint(len(input()), flush=True)\ninput()"
    running = container.start(launcher, Order("python", "bot.py", {"bot.py": code}))
    assert ask(running) == b"1\n"
    during = running.peak_memory_bytes()
    running.close()
    after = running.peak_memory_bytes()
    assert during is not None
    assert 50 << 20 < during < 80 << 20
    assert after is not None
    assert after >= during


@pytest.mark.parametrize("after_s", [0.02, 0.15, 0.5])
def test_reaping_clears_leftovers_of_launcher_killed_any_time(after_s, tmp_path, monkeypatch):
    with subprocess.Popen(
        [sys.executable, "-c", STARTING, str(tmp_path)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == b"begins\n"
        time.sleep(after_s)
        killed.send_signal(signal.SIGKILL)

    def nothing_is_left_after_reaping():
        reap(isolation=choose("docker"), work_dir=tmp_path)
        return nothing_left(tmp_path)

    # The engine may still be making the last container: then a later reaping clears it.
    until(nothing_is_left_after_reaping)


@pytest.mark.alone  # any launcher that clears up beside it would remove the container too early
def test_reaping_removes_what_has_outlived_its_time(launcher, tmp_path, monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 0.0)
    running = container.start(launcher, ORDER)
    monkeypatch.undo()

    assert Embedded(tmp_path / "another").reap() == 0

    with pytest.raises(PlatformFault, match="ended from outside"):
        running.exit(5000)
    running.close()


def test_reaping_removes_container_made_after_slot_cleared(launcher, tmp_path):
    running = container.start(launcher, ORDER)
    settle(launcher, running=1)
    (lost,) = containers(tmp_path) - {each.id for each in launcher._pool._waiting["python"]}
    of_lost = Path(tmp_path / "slots" / "0000.lock")
    note = of_lost.read_text()

    of_lost.write_text("")
    launcher.reap()
    of_lost.write_text(note)

    assert lost not in containers(tmp_path)
    assert len(containers(tmp_path)) == WARM
    running.close()
