# verdict: timeout | ms of
# contained by: pids limit, CPU charge
# levels: docker, bubblewrap
# under gvisor: timeout or memory_limit | red: | each process takes memory of its kernel
"""Multiplies as far as it can."""

import contextlib
import os

import wire

wire.begin()
while True:
    with contextlib.suppress(OSError):
        os.fork()
