# verdict: startup_timeout | time | docker, bubblewrap
"""Multiplies as far as it can."""

import contextlib
import os

while True:
    with contextlib.suppress(OSError):
        os.fork()
