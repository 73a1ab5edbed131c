# verdict: plays | kept in | docker
# ruff: noqa: T201
"""Tries to take over process 1, which runs under the same user."""

import sys
from pathlib import Path


def attempt(path):
    try:
        with Path(path).open("r+b"):
            return True
    except OSError:
        return False


for _line in sys.stdin:
    print([path for path in ("/proc/1/mem", "/proc/1/fd/3") if attempt(path)] or "kept in")
