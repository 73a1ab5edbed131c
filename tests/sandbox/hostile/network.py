# verdict: plays | kept in | docker, bubblewrap
# ruff: noqa: T201
"""Tries to reach any other machine."""

import socket
import sys


def attempt():
    for address in ("1.1.1.1", "169.254.169.254"):
        with socket.socket() as out:
            out.settimeout(0.2)
            try:
                out.connect((address, 80))
            except OSError:
                continue
            return "got out"
    return "kept in"


for _line in sys.stdin:
    print(attempt())
