"""The options of a container, in terms of the Docker API, built from constants.

The only inputs from a caller are a purpose and two folders that the launcher itself created.
"""

import time
from pathlib import PurePosixPath
from typing import get_args

from botkit import languages
from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.host import hidden
from sandbox.host.cgroup import unified
from sandbox.host.seating import (
    BOT_FOLDER,
    LIBRARY_FOLDER,
    SCRATCH_FOLDER,
    BotPlace,
    bot_environment,
)
from sandbox.launcher.oci_runtime import has_own_kernel
from sandbox.launcher.order import Order, Purpose


def container(
    place: BotPlace, *, image: str, purpose: Purpose, oci_runtime: str = ""
) -> dict[str, object]:
    """Return the body of the request that creates a waiting container in a place."""
    resources = limits.RESOURCES[purpose]
    uid = place.slot.uid
    environment = bot_environment(home=SCRATCH_FOLDER, library=LIBRARY_FOLDER)
    return {
        "Image": image,
        "Cmd": ["/arena-init", str(limits.ORDER_WAIT_S), str(resources.lifetime_s)],
        "User": f"{uid}:{uid}",
        "Hostname": "bot",
        "WorkingDir": BOT_FOLDER,
        "Env": [f"{name}={value}" for name, value in environment.items()],
        "StopSignal": "SIGKILL",
        "NetworkDisabled": True,
        "Labels": labels(place, resources),
        "HostConfig": host(place, resources, oci_runtime),
    }


def host(place: BotPlace, resources: limits.Resources, oci_runtime: str = "") -> dict[str, object]:
    """Return the container's restrictions.

    The engine's default seccomp profile applies as well.
    """
    scratch = f"size={resources.scratch_bytes},nr_inodes={resources.scratch_inodes}"
    own_kernel = has_own_kernel(oci_runtime)
    by_cgroup = {"CgroupnsMode": "private"} if unified() else {"MemorySwappiness": 0}
    return {
        "NetworkMode": "none",
        "ReadonlyRootfs": True,
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges:true"],
        "IpcMode": "none",
        "MaskedPaths": list(hidden.PATHS),  # in place of the engine's own list, which it contains
        "Init": False,
        "PidsLimit": limits.RUNTIME_TASKS if own_kernel else limits.TASKS,
        "Memory": resources.memory_bytes,
        "MemorySwap": resources.memory_bytes,
        "NanoCpus": limits.CORES * 1_000_000_000,
        "CpuShares": limits.CPU_SHARES,
        "Tmpfs": {SCRATCH_FOLDER: f"rw,noexec,nosuid,nodev,{scratch},mode=1777"},
        "Ulimits": [
            {"Name": limit.name, "Soft": limit.value, "Hard": limit.value}
            for limit in resources.ulimits() + (limits.RUNTIME_ULIMITS if own_kernel else ())
        ],
        "Mounts": [
            {"Type": "bind", "Target": target, "Source": str(source), "ReadOnly": True}
            for target, source in ((BOT_FOLDER, place.bot), ("/arena", place.arena))
        ],
        "OomScoreAdj": 1000,
        "LogConfig": {"Type": "none"},
        "AutoRemove": True,
        "Runtime": oci_runtime,
        **by_cgroup,
    }


READ_ALL = (  # what an ordinary user can read
    r"find / -xdev \( -type d \( ! -readable -o ! -executable \) -prune \)"
    r" -o \( -type f -readable -exec cat {} + \) > /dev/null"
)


def reader(image: str, oci_runtime: str) -> dict[str, object]:
    """Return the request for a container that reads all files of an image, and ends.

    It has no limit on its memory: the kernel counts the files that are read to the container that
    reads them first, and beyond a limit it would drop them again.
    """
    uid = limits.FIRST_UID - 1
    expires_s = int(time.time()) + 2 * limits.IMAGE_READ_WAIT_S
    return {
        "Image": image,
        "Entrypoint": ["/bin/sh", "-c"],
        "Cmd": [READ_ALL],
        "User": f"{uid}:{uid}",
        "WorkingDir": "/",
        "NetworkDisabled": True,
        "Labels": {"arena.role": "bot", "arena.expires": str(expires_s)},
        "HostConfig": {
            "NetworkMode": "none",
            "ReadonlyRootfs": True,
            "CapDrop": ["ALL"],
            "SecurityOpt": ["no-new-privileges:true"],
            "IpcMode": "none",
            "MaskedPaths": list(hidden.PATHS),
            "PidsLimit": limits.RUNTIME_TASKS,
            "CpuShares": limits.CPU_SHARES,
            "OomScoreAdj": 1000,
            "LogConfig": {"Type": "none"},
            "Runtime": oci_runtime,
        },
    }


def labels(place: BotPlace, resources: limits.Resources) -> dict[str, str]:
    """Return the labels that tell who a left-over container belongs to."""
    expires_s = int(time.time()) + limits.ORDER_WAIT_S + resources.lifetime_s
    return {
        "arena.role": "bot",
        "arena.run": str(place.root.parent),
        "arena.slot": str(place.slot.number),
        "arena.expires": str(expires_s),
    }


def command(order: Order) -> list[str]:
    """Return the command that runs in the container of an order.

    Raise `PlatformFault` for an invalid order.
    """
    language = languages.find(order.language)
    if language is None:
        raise PlatformFault(f"an order names no language: {order.language!r}")
    if order.purpose not in get_args(Purpose):
        raise PlatformFault(f"an order has no such purpose: {order.purpose!r}")
    building = order.purpose == "build"
    if building and not language.compiled:
        raise PlatformFault(f"an order builds {order.language}, which is not compiled")
    if len(order.files) > limits.ENTRIES_MAX + 1:
        raise PlatformFault(f"an order has {len(order.files)} files")
    if sum(map(len, order.files.values())) > limits.ORDER_MAX_BYTES:
        raise PlatformFault(f"an order has more than {limits.ORDER_MAX_BYTES} bytes")
    for path in order.files:
        short = len(path.encode(errors="surrogatepass")) <= limits.PATH_MAX_BYTES
        parts = PurePosixPath(path).parts
        plain = path.isprintable() and path == "/".join(parts) and bool(parts)
        if not (short and plain and ".." not in parts and parts[0] != "/"):
            raise PlatformFault(f"an order names no path inside a bot: {path!r}")
    if order.entry not in order.files:
        raise PlatformFault(f"an order has no file {order.entry!r}")
    if building:
        return languages.build_command(
            language, order.entry, folder=BOT_FOLDER, scratch=SCRATCH_FOLDER
        )
    return languages.run_command(language, f"{BOT_FOLDER}/{order.entry}")
