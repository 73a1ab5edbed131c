# verdict: plays | kept in
# contained by: PID namespace
# levels: docker, bubblewrap
"""Kills all it may kill, process 1 with preference."""

import contextlib
import os
import signal

import wire

start = wire.hear()
for target in (1, -1):
    with contextlib.suppress(OSError):
        os.kill(target, signal.SIGKILL)
wire.note("kept in" if os.getppid() == 1 else "process 1 is gone")
wire.play(start)
