# verdict: plays | kept in
# contained by: no network, system-call filter
# levels: docker, bubblewrap
"""Tries to reach any other machine."""

import socket
from pathlib import Path

import wire


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
    }
)
