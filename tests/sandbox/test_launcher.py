"""Containers that wait for their bots."""

import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from engine.protocol import PlatformFault
from sandbox import container, limits
from sandbox.isolation import choose
from sandbox.launcher import docker_engine, spec
from sandbox.launcher.embedded import Embedded, warm_containers
from sandbox.launcher.order import Order
from sandbox.program import Exit
from sandbox.reap import reap
from sandbox.refusal import IsolationUnavailable
from sandbox.seating import BotPlace
from sandbox.slots import notes
from tests.sandbox.attack import remains
from tests.sandbox.launchers import (
    NOWHERE,
    ORDER,
    ROOT,
    WHO,
    ask,
    containers,
    nothing_left,
    until,
)

WARM = 2
STARTING = """
import sys
from pathlib import Path
from sandbox import container
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


def settle(launcher):
    """Wait until the keeper has nothing to do."""
    keeper = launcher._keeper
    until(lambda: len(keeper._waiting["python"]) == WARM and not keeper._given_back)


def place(tmp_path):
    return BotPlace(tmp_path / "bot-x", SimpleNamespace(uid=20_007, number=7))


def test_a_container_has_these_options_and_no_others(tmp_path, monkeypatch):
    monkeypatch.setattr(spec, "unified", lambda: True)
    monkeypatch.setattr(spec.time, "time", lambda: 1_000_000.0)

    options = spec.container(place(tmp_path), image="sha256:1", purpose="bot")

    ulimits = options["HostConfig"].pop("Ulimits")
    assert {each["Name"]: each["Hard"] for each in ulimits if each["Soft"] == each["Hard"]} == {
        "nofile": 256,
        "core": 0,
        "fsize": 16 << 20,
        "memlock": 0,
        "msgqueue": 0,
        "sigpending": 256,
        "rtprio": 0,
        "nice": 0,
        "cpu": 600,
    }
    assert options == {
        "Image": "sha256:1",
        "Cmd": ["/arena-init", "3600", "3600"],
        "User": "20007:20007",
        "Hostname": "bot",
        "WorkingDir": "/bot",
        "Env": [
            "PATH=/usr/local/bin:/usr/bin:/bin",
            "HOME=/tmp",
            "TMPDIR=/tmp",
            "LANG=C.UTF-8",
            "PYTHONPATH=/opt/drapeau",
            "PYTHONUNBUFFERED=1",
            "PYTHONDONTWRITEBYTECODE=1",
        ],
        "StopSignal": "SIGKILL",
        "NetworkDisabled": True,
        "Labels": {
            "arena.role": "bot",
            "arena.run": str(tmp_path),
            "arena.slot": "7",
            "arena.expires": "1007200",
        },
        "HostConfig": {
            "NetworkMode": "none",
            "ReadonlyRootfs": True,
            "CapDrop": ["ALL"],
            "SecurityOpt": ["no-new-privileges:true"],
            "IpcMode": "none",
            "Init": False,
            "PidsLimit": 64,
            "Memory": 256 << 20,
            "MemorySwap": 256 << 20,
            "NanoCpus": 1_000_000_000,
            "CpuShares": 1024,
            "Tmpfs": {
                "/tmp": "rw,noexec,nosuid,nodev,size=16777216,nr_inodes=1024,mode=1777",
            },
            "Mounts": [
                {
                    "Type": "bind",
                    "Target": f"/{name}",
                    "Source": f"{tmp_path}/bot-x/{name}",
                    "ReadOnly": True,
                }
                for name in ("bot", "arena")
            ],
            "OomScoreAdj": 1000,
            "LogConfig": {"Type": "none"},
            "AutoRemove": True,
            "Runtime": "",
            "CgroupnsMode": "private",
        },
    }


def test_another_oci_runtime_counts_tasks_by_itself(tmp_path):
    options = spec.host(place(tmp_path), limits.ROOMS["bot"], "runsc")

    tasks = {"Name": "nproc", "Soft": limits.TASKS, "Hard": limits.TASKS}
    assert tasks in options["Ulimits"]
    assert (options["Runtime"], options["PidsLimit"]) == ("runsc", limits.RUNTIME_TASKS)


@pytest.mark.parametrize(
    "order",
    [
        Order("cobol", "bot.py", {"bot.py": b""}),
        Order("python", "bot.py", {"bot.py": b""}, "mine"),
        Order("python", "bot.py", {"bot.py": b""}, "build"),
        Order("python", "bot.py", {}),
        Order("python", "other.py", {"bot.py": b""}),
        Order("python", "../bot.py", {"../bot.py": b""}),
        Order("python", "/bot.py", {"/bot.py": b""}),
        Order("python", "a/../bot.py", {"a/../bot.py": b""}),
        Order("python", "./bot.py", {"./bot.py": b""}),
        Order("python", "a//bot.py", {"a//bot.py": b""}),
        Order("python", "bot.py/", {"bot.py/": b""}),
        Order("python", "", {"": b""}),
        Order("python", "b\0t.py", {"b\0t.py": b""}),
        Order("python", "b\nt.py", {"b\nt.py": b""}),
        Order("python", "\ud800.py", {"\ud800.py": b""}),
        Order("python", "x" * 201, {"x" * 201: b""}),
        Order("python", "bot.py", {"bot.py": bytes(limits.ORDER_MAX_BYTES + 1)}),
        Order("python", "0", {str(number): b"" for number in range(limits.ENTRIES_MAX + 2)}),
    ],
)
def test_an_order_that_nobody_should_give_is_refused_before_anything_starts(order, tmp_path):
    with pytest.raises(PlatformFault, match="an order "):
        Embedded(tmp_path).launch(order)
    assert list(tmp_path.iterdir()) == []


def test_the_number_of_waiting_containers_is_a_setting(monkeypatch):
    monkeypatch.setenv("DRAPEAU_WARM_CONTAINERS", "0")
    assert warm_containers() == 0
    monkeypatch.setenv("DRAPEAU_WARM_CONTAINERS", "")
    assert warm_containers() == limits.WARM_CONTAINERS
    for wrong in ("-1", "many", str(limits.SLOTS + 1)):
        monkeypatch.setenv("DRAPEAU_WARM_CONTAINERS", wrong)
        with pytest.raises(IsolationUnavailable):
            warm_containers()


def test_without_an_engine_nothing_is_started_and_nothing_left(tmp_path, monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", NOWHERE)
    launcher = Embedded(tmp_path, warm=WARM)

    with pytest.raises(PlatformFault, match="no engine answers"):
        launcher.launch(ORDER)
    with pytest.raises(IsolationUnavailable, match="no engine answers"):
        launcher.images()

    launcher.close()
    assert list(tmp_path.glob("bot-*")) == []


@pytest.mark.docker
def test_a_waiting_container_is_used_once_and_replaced(launcher, tmp_path):
    container.start(launcher, ORDER).close()
    settle(launcher)
    ever = set()
    for _ in range(3):
        waiting = containers(tmp_path)
        assert len(waiting) == WARM
        assert waiting & ever == set()

        running = container.start(launcher, ORDER)
        settle(launcher)
        assert len(containers(tmp_path)) == WARM + 1
        assert waiting < containers(tmp_path)
        assert ask(running).endswith(b" x\n")
        running.close()
        settle(launcher)

        used = waiting - containers(tmp_path)
        assert len(used) == 1
        ever |= used
    assert len(ever) == 3


@pytest.mark.docker
def test_no_two_containers_share_a_user(launcher, tmp_path):
    running = [container.start(launcher, ORDER) for _ in range(WARM + 2)]
    uids = {ask(each).split()[0] for each in running}
    settle(launcher)
    assert len(containers(tmp_path)) == 2 * WARM + 2
    assert len(uids) == len(running)
    assert len(notes(tmp_path) - {""}) == 2 * WARM + 2
    for each in running:
        each.close()


@pytest.mark.docker
def test_a_waiting_container_that_died_is_not_given_to_a_bot(launcher, tmp_path):
    container.start(launcher, ORDER).close()
    settle(launcher)
    with docker_engine.connected() as engine:
        docker_engine.remove_all(engine, tmp_path, slot(tmp_path))

    for _ in range(WARM + 1):
        running = container.start(launcher, ORDER)
        assert ask(running).endswith(b" x\n")
        running.close()


def slot(run_dir):
    """Give a slot that is in use."""
    return next(int(p.stem) for p in sorted((run_dir / "slots").iterdir()) if p.read_text())


@pytest.mark.docker
def test_a_runtime_that_nobody_uses_cools(launcher, tmp_path, monkeypatch):
    container.start(launcher, ORDER).close()
    settle(launcher)

    monkeypatch.setattr(limits, "WARM_S", 0)
    container.start(launcher, Order("node", "bot.js", {"bot.js": b""})).close()

    until(lambda: nothing_left(tmp_path))


@pytest.mark.docker
def test_closing_waits_for_all_that_was_given_back(tmp_path):
    launcher = Embedded(tmp_path, warm=WARM)
    running = [container.start(launcher, ORDER) for _ in range(3)]
    for each in running:
        each.close()
    launcher.close()
    assert nothing_left(tmp_path)
    launcher.close()


@pytest.mark.docker
def test_what_is_given_back_after_closing_is_cleared_at_once(tmp_path):
    launcher = Embedded(tmp_path, warm=WARM)
    running = container.start(launcher, ORDER)
    launcher.close()
    assert ask(running).endswith(b" x\n")
    running.close()
    assert nothing_left(tmp_path)


@pytest.mark.docker
def test_many_games_leave_no_descriptor(launcher, tmp_path):
    container.start(launcher, ORDER).close()
    settle(launcher)
    before = len(remains.descriptors())
    for _ in range(8):
        running = container.start(launcher, ORDER)
        ask(running)
        running.close()
    settle(launcher)
    assert len(remains.descriptors()) == before


@pytest.mark.docker
def test_an_order_that_comes_to_nothing_leaves_nothing(launcher, tmp_path):
    before = len(remains.descriptors())
    clash = Order("python", "bot.py", {"bot.py": WHO, "a": b"", "a/b": b""})
    with pytest.raises(PlatformFault, match="did not take its order"):
        launcher.launch(clash)
    launcher.close()
    assert nothing_left(tmp_path)
    assert len(remains.descriptors()) == before


@pytest.mark.docker
def test_an_image_that_is_not_there_is_named(launcher, tmp_path, monkeypatch):
    monkeypatch.setenv("DRAPEAU_RUNTIME_IMAGE", "never-made-{runtime}:1")
    assert launcher.images() == {}
    with pytest.raises(PlatformFault, match="no image never-made-python:1"):
        launcher.launch(ORDER)


@pytest.mark.docker
def test_a_bot_that_cannot_be_executed_has_itself_to_blame(launcher):
    running = container.start(launcher, Order("c", "bot", {"bot": b"no program"}))
    os.set_blocking(running.stdout, True)
    assert os.read(running.stdout, 10) == b""
    assert running.exit(1000) == Exit(container.NOT_EXECUTABLE)
    running.close()


@pytest.mark.docker
def test_an_image_that_cannot_run_its_language_is_the_platform_s_fault(launcher):
    launcher._images = {"java": launcher.images()["python"]}
    with pytest.raises(PlatformFault, match="cannot run a bot: No such file"):
        container.start(launcher, Order("java", "bot.jar", {"bot.jar": b""}))


@pytest.mark.docker
def test_peak_memory_is_known_after_the_end_too(launcher):
    code = b"kept = bytearray(b'x') * (50 << 20)\nprint(len(input()), flush=True)\ninput()"
    running = container.start(launcher, Order("python", "bot.py", {"bot.py": code}))
    assert ask(running) == b"1\n"
    during = running.peak_memory_bytes()
    running.close()
    assert 50 << 20 < during < 80 << 20
    assert running.peak_memory_bytes() >= during


@pytest.mark.docker
@pytest.mark.parametrize("after_s", [0.02, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0])
def test_a_launcher_killed_at_any_moment_leaves_nothing_that_reaping_does_not_clear(
    after_s, tmp_path
):
    with subprocess.Popen(
        [sys.executable, "-c", STARTING, str(tmp_path)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as killed:
        assert killed.stdout.readline() == b"begins\n"
        time.sleep(after_s)
        killed.send_signal(signal.SIGKILL)
    # What the engine was asked for last it may still be making: that is cleared by the next look.
    until(lambda: reap(isolation=choose("docker"), work_dir=tmp_path) == 0)
    until(lambda: nothing_left(tmp_path))


@pytest.mark.docker
def test_reaping_removes_what_has_outlived_its_time(launcher, tmp_path, monkeypatch):
    monkeypatch.setattr(spec.time, "time", lambda: 0.0)
    running = container.start(launcher, ORDER)
    monkeypatch.undo()

    assert Embedded(tmp_path / "another").reap() == 0

    with pytest.raises(PlatformFault, match="ended from outside"):
        running.exit(5000)
    running.close()


def test_a_folder_that_no_slot_knows_is_removed_when_it_is_old(tmp_path, monkeypatch):
    folder = tmp_path / "bot-forgotten"
    folder.mkdir()
    process = choose("process")
    reap(isolation=process, work_dir=tmp_path)
    assert folder.exists()

    monkeypatch.setattr(limits, "STALE_FOLDER_S", -1)
    reap(isolation=process, work_dir=tmp_path)
    assert not folder.exists()
