"""Counters of the whole host: one bot makes a number grow, the other reads it.

`turn` switches the work of the sender on and off, `look` reads the number.
"""

import errno
import os
import struct

import acts
import ends

INODES = 1030  # more than the kernel hands out to a core at a time
COOKIES = 4200
WATCHERS = 128  # that the kernel usually allows a user
OF_SYSINFO = {"free": ("L", 40), "tasks": ("H", 80)}  # the types and places of its fields


def turn(on, name):
    acts.turn(on, COUNTERS[name][0])


def look(name):
    return COUNTERS[name][1]()


def rest():
    acts.rest()


def shown(path):
    """Return what a file of the kernel shows. Raise OSError if it is hidden by an empty one."""
    with open(path) as file:
        if text := file.read():
            return text
    raise OSError(errno.ENODATA, "hidden")


def number(path, field=0):
    return int(shown(path).replace("/", " ").split()[field])


def labelled(path, label):
    for line in shown(path).splitlines():
        if line.startswith(label):
            return int(line.split()[1])
    raise OSError(errno.ENODATA, "hidden")


def system(name):
    """Return a field of sysinfo()."""
    room = ends.ctypes.create_string_buffer(256)
    ends.checked(ends.LIBC.sysinfo(room))
    return struct.unpack_from(OF_SYSINFO[name][0], room, OF_SYSINFO[name][1])[0]


def last_pipe():
    """Return the number of a new pipe, after so many that it is from a fresh range."""
    return max(a_pipe() for _ in range(INODES))


def a_pipe():
    """Return the number of a new pipe."""
    both = os.pipe()
    number = os.fstat(both[0]).st_ino
    for each in both:
        os.close(each)
    return number


def last_birth():
    """Return the number that the kernel gives to a process, whatever it is called inside."""
    born = os.fork()
    if born == 0:
        os._exit(0)
    try:
        handle = os.pidfd_open(born)
    finally:
        os.waitpid(born, 0)
    number = os.fstat(handle).st_ino
    os.close(handle)
    return number


def last_cookie():
    return max(acts.cookie() for _ in range(COOKIES))


def eventfd_id():
    """Return the number of a new eventfd: the lowest that is free on the whole host."""
    made = os.eventfd(0)
    try:
        return labelled(f"/proc/self/fdinfo/{made}", "eventfd-id")
    finally:
        os.close(made)


def watchers_used():
    """Return how many of the watchers that a user may have are not to be had."""
    held: list[int] = []
    try:
        while len(held) < WATCHERS:
            held.append(ends.checked(ends.LIBC.inotify_init1(0)))
    except OSError:
        pass
    for each in held:
        os.close(each)
    return WATCHERS - len(held)


WITH_PIPES = "children with pipes"
COUNTERS = {
    "pty/nr": ("terminals", lambda: number("/proc/sys/kernel/pty/nr")),
    "file-nr": (WITH_PIPES, lambda: number("/proc/sys/fs/file-nr")),
    "inode-nr": (WITH_PIPES, lambda: number("/proc/sys/fs/inode-nr")),
    "dentry-state": (WITH_PIPES, lambda: number("/proc/sys/fs/dentry-state")),
    "loadavg": ("children", lambda: number("/proc/loadavg", 4)),
    "meminfo": ("memory", lambda: -labelled("/proc/meminfo", "MemFree")),
    "stat": ("births", lambda: labelled("/proc/stat", "processes")),
    "sysinfo memory": ("memory", lambda: -system("free")),
    "sysinfo tasks": ("children", lambda: system("tasks")),
    "pipe": ("pipes", last_pipe),
    "last pipe": ("pipes", a_pipe),
    "pidfd": ("births", last_birth),
    "eventfd": ("few eventfds", eventfd_id),
    "cookie": ("cookies", last_cookie),
    "user": ("watchers", watchers_used),
}
