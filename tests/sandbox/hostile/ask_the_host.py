# verdict: plays | kept in
# contained by: masked files, system-call filter
# levels: docker, bubblewrap
# under gvisor: plays | open: /proc/loadavg, /proc/stat, /proc/meminfo | those of its own kernel
"""Asks what the kernel counts for all containers together, to hear there what another one does."""

import ctypes
import errno
import os
import socket
import sys
from pathlib import Path

import wire

SYSINFO, PIDFD_OPEN, MINCORE, INOTIFY_INIT1 = 99, 434, 27, 294
SO_COOKIE, RWF_NOWAIT = 57, 8
COUNTERS = (
    *("/proc/loadavg", "/proc/stat", "/proc/meminfo", "/proc/locks", "/proc/diskstats"),
    *("/proc/sys/fs/file-nr", "/proc/sys/fs/dentry-state", "/proc/sys/kernel/pty/nr"),
    *("/proc/pressure/cpu", "/sys/kernel/mm/ksm/pages_shared", "/sys/block"),
)
answer = ctypes.create_string_buffer(4096)


def counter(place):
    def read():
        path = Path(place)
        if not (list(path.iterdir()) if path.is_dir() else path.read_bytes()):
            raise OSError(errno.ENODATA, "empty")

    return read


def is_in_memory():
    with open(sys.executable, "rb") as file:
        os.preadv(file.fileno(), [bytearray(1)], 0, RWF_NOWAIT)


wire.probe(
    {
        **{place: counter(place) for place in COUNTERS},
        "number of an event descriptor": lambda: os.eventfd(0),
        "sysinfo": lambda: wire.syscall(SYSINFO, answer),
        "number of a process": lambda: wire.syscall(PIDFD_OPEN, os.getpid(), 0),
        "number of a socket": lambda: socket.socketpair()[0].getsockopt(
            socket.SOL_SOCKET, SO_COOKIE, 8
        ),
        "pages in memory": lambda: wire.syscall(MINCORE, None, 0, answer),
        "reads without waiting": is_in_memory,
        "watches": lambda: wire.syscall(INOTIFY_INIT1, 0),
    }
)
