# verdict: plays | kept in
# contained by: no network, system-call filter
# levels: docker, bubblewrap
"""Tries to reach any other machine, by sockets of any family."""

import socket
from functools import partial
from pathlib import Path

import wire

FAMILIES = {
    "inet": (2, 1),
    "inet6": (10, 1),
    "raw": (2, 3),
    "netlink": (16, 3),
    "packet": (17, 3),
    "rds": (21, 5),
    "llc": (26, 2),
    "can": (29, 3),
    "tipc": (30, 5),
    "bluetooth": (31, 1),
    "iucv": (32, 1),
    "rxrpc": (33, 2),
    "isdn": (34, 3),
    "phonet": (35, 2),
    "ieee802154": (36, 2),
    "caif": (37, 5),
    "alg": (38, 5),
    "nfc": (39, 5),
    "vsock": (40, 1),
    "kcm": (41, 5),
    "qipcrtr": (42, 2),
    "smc": (43, 1),
    "xdp": (44, 3),
    "mctp": (45, 2),
}


def reach(address, port=80):
    with socket.create_connection((address, port), timeout=0.2):
        pass


def interfaces():
    if len(Path("/proc/net/dev").read_text().splitlines()) <= 3:  # two lines of titles, and lo
        raise OSError


wire.probe(
    {
        "the world": lambda: reach("192.0.2.1"),
        "the cloud's data": lambda: reach("169.254.169.254"),
        "this machine": lambda: reach("127.0.0.1", 22),
        "its engine": lambda: reach("172.17.0.1", 2375),
        "names": lambda: socket.getaddrinfo("example.org", 80),
        "interfaces": interfaces,
        **{name: partial(socket.socket, *family) for name, family in FAMILIES.items()},
    }
)
