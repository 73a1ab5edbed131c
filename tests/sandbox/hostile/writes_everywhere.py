# verdict: plays | kept in | docker, bubblewrap
# ruff: noqa: T201
"""Tries to leave something outside /tmp."""

import sys
from pathlib import Path

PLACES = (
    "/",
    "/bot",
    "/arena",
    "/usr",
    "/etc",
    "/opt",
    "/var/tmp",
    "/dev/shm",
    "/sys",
    "/proc/sys",
)


def attempt(place):
    try:
        (Path(place) / "left-behind").write_text("x")
    except OSError:
        return False
    return True


for _line in sys.stdin:
    print([place for place in PLACES if attempt(place)] or "kept in")
