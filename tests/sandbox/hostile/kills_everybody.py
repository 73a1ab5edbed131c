# verdict: plays | alone now | docker
# ruff: noqa: T201
"""Kills all it may kill, process 1 with preference."""

import contextlib
import os
import signal
import sys

for _line in sys.stdin:
    for target in (1, -1):
        with contextlib.suppress(OSError):
            os.kill(target, signal.SIGKILL)
    print("alone now")
