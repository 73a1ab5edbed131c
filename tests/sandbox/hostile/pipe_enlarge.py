# verdict: plays | kept in
# contained by: system-call filter
# levels: docker, bubblewrap
"""Makes pipes larger: its own, and those to the referee."""

import fcntl
import os

import wire

wire.probe(
    {
        "stdin": lambda: fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 1 << 20),
        "stdout": lambda: fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 1 << 20),
        "stderr": lambda: fcntl.fcntl(2, fcntl.F_SETPIPE_SZ, 1 << 20),
        "another": lambda: fcntl.fcntl(os.pipe()[0], fcntl.F_SETPIPE_SZ, 1 << 20),
    }
)
