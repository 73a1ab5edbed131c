# verdict: plays | kept in
# contained by: system-call filter, Docker's seccomp profile
# levels: docker, bubblewrap
"""Tries to be root in a world of its own."""

import os
from pathlib import Path

import wire

USER, MOUNT, PID, NET, IPC, UTS, CGROUP, TIME = (
    0x10000000, 0x00020000, 0x20000000, 0x40000000, 0x08000000, 0x04000000, 0x02000000, 0x80,
)  # fmt: skip
CLONE_CALL, CLONE3_CALL = 56, 435


def unshare(flags):
    wire.in_child(lambda: wire.checked(wire.LIBC.unshare(flags)))


def clone():
    if wire.syscall(CLONE_CALL, USER | 17, 0, 0, 0, 0) == 0:
        os._exit(0)


def enter():
    wire.checked(wire.LIBC.setns(os.open("/proc/self/ns/user", os.O_RDONLY), 0))


wire.probe(
    {
        "user": lambda: unshare(USER),
        "user and mounts": lambda: unshare(USER | MOUNT),
        "mounts": lambda: unshare(MOUNT),
        "processes": lambda: unshare(PID),
        "network": lambda: unshare(NET),
        "ipc": lambda: unshare(IPC),
        "names": lambda: unshare(UTS),
        "groups": lambda: unshare(CGROUP),
        "time": lambda: unshare(TIME),
        "clone": clone,
        "enter": enter,
        "map": lambda: Path("/proc/self/uid_map").write_text("0 0 1"),
    }
)
