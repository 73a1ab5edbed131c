# verdict: timeout | ms of
# contained by: pids limit, CPU charge
# levels: docker, bubblewrap
"""Multiplies as far as it can."""

import contextlib
import os

import wire

wire.begin()
while True:
    with contextlib.suppress(OSError):
        os.fork()
