"""What a launcher may be asked for, and what it asks of the engine. No engine is needed here."""

import time
from typing import Any

import pytest

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.host import hidden
from sandbox.host.seating import BotPlace
from sandbox.host.uid_ranges import UidRange
from sandbox.host.uid_slots import Slot
from sandbox.launcher import container_options
from sandbox.launcher.embedded import Embedded, warm_containers
from sandbox.launcher.order import Order
from sandbox.refusal import IsolationUnavailable
from tests.sandbox.launchers import NOWHERE, ORDER


def place(tmp_path):
    return BotPlace(tmp_path / "bot-x", Slot(tmp_path, 7, -1, UidRange(20_000, -1)))


def options(tmp_path):
    """Return every option of a bot's container; its limits per process are elsewhere."""
    return {
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
    }


def lock_on_the_door(tmp_path):
    return {
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
        "Tmpfs": {"/tmp": "rw,noexec,nosuid,nodev,size=16777216,nr_inodes=1024,mode=1777"},
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
    }


ULIMITS = {
    "nofile": 256,
    "core": 1,
    "fsize": 16 << 20,
    "memlock": 0,
    "msgqueue": 0,
    "sigpending": 256,
    "rtprio": 0,
    "nice": 0,
    "cpu": 600,
}

# What the engine masks by itself, and no longer does if it is given a list.
OF_DOCKER = {
    *("/proc/acpi", "/proc/asound", "/proc/kcore", "/proc/keys", "/proc/latency_stats"),
    *("/proc/sched_debug", "/proc/scsi", "/proc/timer_list", "/proc/timer_stats", "/sys/firmware"),
}


def test_a_container_has_these_options_and_no_others(tmp_path, monkeypatch):
    monkeypatch.setattr(container_options, "unified", lambda: True)
    monkeypatch.setattr(time, "time", lambda: 1_000_000.0)

    given: Any = container_options.container(place(tmp_path), image="sha256:1", purpose="bot")
    host = given.pop("HostConfig")
    ulimits = host.pop("Ulimits")
    masked = host.pop("MaskedPaths")

    assert set(masked) >= OF_DOCKER | {"/proc/locks", "/proc/sys", "/dev/pts", "/sys/devices"}
    assert given == options(tmp_path)
    assert host == lock_on_the_door(tmp_path)
    assert {each["Name"]: each["Hard"] for each in ulimits} == ULIMITS
    assert all(each["Soft"] == each["Hard"] for each in ulimits)


def test_build_has_same_lock_and_more_room(tmp_path, monkeypatch):
    monkeypatch.setattr(container_options, "unified", lambda: True)

    host: Any = container_options.container(place(tmp_path), image="sha256:1", purpose="build")[
        "HostConfig"
    ]
    ulimits = {each["Name"]: each["Hard"] for each in host.pop("Ulimits")}
    assert host.pop("MaskedPaths") == list(hidden.PATHS)
    bot = lock_on_the_door(tmp_path)

    assert {name for name in host if host[name] != bot[name]} == {"Memory", "MemorySwap", "Tmpfs"}
    assert {name for name in ulimits if ulimits[name] != ULIMITS[name]} == {"fsize", "cpu"}


def test_runtime_with_separate_kernel_counts_tasks_itself(tmp_path):
    given: Any = container_options.host(place(tmp_path), limits.RESOURCES["bot"], "runsc")

    tasks = {"Name": "nproc", "Soft": limits.TASKS, "Hard": limits.TASKS}
    assert tasks in given["Ulimits"]
    assert (given["Runtime"], given["PidsLimit"]) == ("runsc", limits.RUNTIME_TASKS)


@pytest.mark.parametrize(
    "order",
    [
        Order("cobol", "bot.py", {"bot.py": b""}),
        Order("python", "bot.py", {"bot.py": b""}, "mine"),  # type: ignore[arg-type]  # as a client may
        Order("python", "bot.py", {"bot.py": b""}, "build"),
        Order("python", "bot.py", {}),
        Order("python", "other.py", {"bot.py": b""}),
        Order("python", "../bot.py", {"../bot.py": b""}),
        Order("python", "/bot.py", {"/bot.py": b""}),
        Order("python", "a/../bot.py", {"a/../bot.py": b""}),
        Order("python", "", {"": b""}),
        Order("python", "b\0t.py", {"b\0t.py": b""}),
        Order("python", "\ud800.py", {"\ud800.py": b""}),
        Order("python", "x" * 201, {"x" * 201: b""}),
        Order("python", "bot.py", {"bot.py": bytes(limits.ORDER_MAX_BYTES + 1)}),
        Order("python", "0", {str(number): b"" for number in range(limits.ENTRIES_MAX + 2)}),
    ],
)
def test_invalid_order_is_refused_before_anything_starts(order, tmp_path):
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


def test_nothing_starts_or_stays_without_engine(tmp_path, monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", NOWHERE)
    launcher = Embedded(tmp_path, warm=2)

    with pytest.raises(PlatformFault, match="no engine answers"):
        launcher.launch(ORDER)
    with pytest.raises(IsolationUnavailable, match="no engine answers"):
        launcher.images()

    launcher.close()
    assert list(tmp_path.glob("bot-*")) == []


def test_bot_is_told_its_container_limits(tmp_path):
    resources, sent = limits.RESOURCES["bot"], limits.BY_LEVEL["docker"]
    asked: dict[str, Any] = container_options.host(place(tmp_path), resources)
    ulimits = {each.name: each.value for each in resources.ulimits()}

    assert sent == {
        "memory_bytes": asked["Memory"],
        "cores": asked["NanoCpus"] / 1_000_000_000,
        "threads": asked["PidsLimit"],
        "scratch_bytes": resources.scratch_bytes,
        "file_bytes": ulimits["fsize"],
        "cpu_s": ulimits["cpu"],
    }
