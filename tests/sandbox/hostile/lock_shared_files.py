# verdict: plays | kept in
# contained by: system-call filter
# levels: docker, bubblewrap
"""Locks files that exist once on the host, where another container would meet the lock."""

import errno
import fcntl
import os
import select
import struct
import sys

import wire

FLOCK = "hhqqi4x"
OFD_GETLK, OFD_SETLK, GETLK = 36, 37, 5
poller, program = select.epoll(), os.open(sys.executable, os.O_RDONLY)


def lock(kind=fcntl.F_WRLCK):
    return struct.pack(FLOCK, kind, os.SEEK_SET, 7, 1, 0)


def held_by_another():
    """Take a lock through one file, and meet it through another one of the same inode."""
    fcntl.fcntl(poller, OFD_SETLK, lock())
    met = fcntl.fcntl(select.epoll(), OFD_GETLK, lock())
    if struct.unpack(FLOCK, met)[0] == fcntl.F_UNLCK:
        raise OSError(errno.ENOLCK, "no lock was taken")


def flock_conflicts():
    """Lock a file twice; the second lock fails where the first one is there."""
    fcntl.flock(poller, fcntl.LOCK_EX)
    try:
        fcntl.flock(select.epoll(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    raise OSError(errno.ENOLCK, "no lock was taken")


wire.probe(
    {
        "range": held_by_another,
        "whole file": flock_conflicts,
        "question": lambda: fcntl.fcntl(program, GETLK, lock(fcntl.F_RDLCK)),
        "lease": lambda: fcntl.fcntl(program, fcntl.F_SETLEASE, fcntl.F_RDLCK),
        "lease asked": lambda: fcntl.fcntl(program, fcntl.F_GETLEASE),
        "notice": lambda: fcntl.fcntl(os.open("/usr", os.O_RDONLY), fcntl.F_NOTIFY, 1),
    }
)
