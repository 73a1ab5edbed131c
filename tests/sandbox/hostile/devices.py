# verdict: plays | kept in
# contained by: no capabilities, device list
# levels: docker, bubblewrap
# under gvisor: plays | open: disk, fuse, net/tun | its own, which need rights
"""Makes and opens devices, and types on a terminal."""

import fcntl
import os
import stat
import termios
from functools import partial

import wire


def make(kind, major, minor):
    os.mknod("/tmp/device", kind | 0o666, os.makedev(major, minor))


def type_on(name):
    with open(name, "rb") as terminal:
        fcntl.ioctl(terminal, termios.TIOCSTI, b"x")


PLACES = (
    "mem",
    "kmsg",
    "port",
    "sda",
    "vda",
    "kvm",
    "fuse",
    "net/tun",
    "loop-control",
    "dri/card0",
)
wire.probe(
    {
        "disk": lambda: make(stat.S_IFBLK, 254, 0),
        "memory": lambda: make(stat.S_IFCHR, 1, 1),
        "terminal": lambda: type_on("/dev/tty"),
        "console": lambda: type_on("/dev/console"),
        **{name: partial(os.open, f"/dev/{name}", os.O_RDONLY) for name in PLACES},
    }
)
