# verdict: plays | kept in
# contained by: masked folder of terminals, system-call filter
# levels: docker, bubblewrap
# under gvisor: plays | open: terminal, terminal in its folder | of its own kernel, which is charged
"""Gives the kernel's own workers and other processors something to do, which no clock charges."""

import fcntl
import os
import socket
import struct

import wire

MEMBARRIER, GLOBAL = 324, 1
TIOCSPTLCK, TIOCGPTN, TIOCGPTPEER = 0x40045431, 0x80045430, 0x5441


def of_terminal(request):
    """Ask something of a terminal; without one, only a filter refuses with EPERM."""

    def ask():
        try:
            fcntl.ioctl(0, request, struct.pack("i", 0))
        except PermissionError:
            raise
        except OSError:
            return

    return ask


def send_descriptors():
    pair = socket.socketpair()
    socket.send_fds(pair[0], [b"x"], [each.fileno() for each in pair])


wire.probe(
    {
        "terminal": lambda: os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY),
        "terminal in its folder": lambda: os.open("/dev/pts/ptmx", os.O_RDWR | os.O_NOCTTY),
        "unlocking": of_terminal(TIOCSPTLCK),
        "number": of_terminal(TIOCGPTN),
        "other end": of_terminal(TIOCGPTPEER),
        "sockets in sockets": send_descriptors,
        "barrier": lambda: wire.syscall(MEMBARRIER, GLOBAL, 0, 0),
    }
)
