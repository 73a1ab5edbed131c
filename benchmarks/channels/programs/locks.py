"""Locks: on inodes that exist once per host, a lock is seen by whoever asks for the same."""

import errno
import fcntl
import os
import re
import select
import struct
from typing import Any

import ends

LAYOUT = "hhxxxxqqixxxx"  # of struct flock on 64-bit machines
PAGE = 16  # bytes between two locks, so that neighbours are not joined
KEPT: list[Any] = []  # a lock ends when any descriptor of its file is closed by its process
GROUPS = ("user", "time", "cgroup", "ipc", "uts", "net", "mnt", "pid")


def timer():
    return ends.syscall(283, 1, 0)  # timerfd_create


def opened(inode):
    """Open a file that others may have open as well."""
    if inode in {"eventfd", "epoll", "timerfd"}:
        opener = {"eventfd": lambda: os.eventfd(0), "epoll": epoll, "timerfd": timer}[inode]
        return kept(opener())
    if inode == "image":
        return kept(os.open("/usr/lib/os-release", os.O_RDONLY))
    return kept(os.open(f"/proc/self/ns/{inode}", os.O_RDONLY))


def epoll():
    made = select.epoll()
    KEPT.append(made)
    return os.dup(made.fileno())


def kept(descriptor):
    KEPT.append(descriptor)
    return descriptor


def packed(kind, place):
    return struct.pack(LAYOUT, kind, os.SEEK_SET, place * PAGE, 1, 0)


def send(bits, key, inode, how):
    descriptor = opened(inode)
    command = fcntl.F_OFD_SETLK if how == "ofd" else fcntl.F_SETLK
    writable = inode in {"eventfd", "epoll", "timerfd"}
    kind = fcntl.F_WRLCK if writable else fcntl.F_RDLCK
    for place in ends.ones(bits):
        fcntl.fcntl(descriptor, command, packed(kind, key + place))


def read(count, key, inode, how):
    if how == "ofd":
        return listed(count, key)
    descriptor = opened(inode)
    if how == "try":
        return "".join("1" if taken(descriptor, key + place) else "0" for place in range(count))
    found = (
        fcntl.fcntl(descriptor, fcntl.F_GETLK, packed(fcntl.F_WRLCK, key + place))
        for place in range(count)
    )
    free = (struct.unpack(LAYOUT, each)[0] == fcntl.F_UNLCK for each in found)
    return "".join("0" if each else "1" for each in free)


def taken(descriptor, place):
    """Return whether a lock is somebody else's, by taking it."""
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETLK, packed(fcntl.F_WRLCK, place))
    except (BlockingIOError, PermissionError) as why:
        if why.errno == errno.EPERM:
            raise
        return True
    return False


def listed(count, key):
    """Read the places from the list of all locks."""
    with open("/proc/locks") as lines:
        places = {int(each) for each in re.findall(r" (\d+) \d+$", lines.read(), re.MULTILINE)}
    return "".join("1" if (key + place) * PAGE in places else "0" for place in range(count))


def rest():
    while KEPT:
        each = KEPT.pop()
        each.close() if hasattr(each, "close") else os.close(each)


def turn(on, inode):
    """Hold a lock of the whole file, or let go of it."""
    if not KEPT:
        opened(inode)
    fcntl.flock(KEPT[0], fcntl.LOCK_EX | fcntl.LOCK_NB if on else fcntl.LOCK_UN)


def look(inode):
    """Return 1 if somebody else holds a lock of the whole file."""
    try:
        turn("on", inode)
    except BlockingIOError:
        return 1
    turn("", inode)
    return 0
