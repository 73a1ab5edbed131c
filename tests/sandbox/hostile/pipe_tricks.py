# verdict: plays | kept in
# contained by: flags of each end of a pipe, whose files are the runner's, system-call filter
# levels: docker, bubblewrap
"""Changes the modes and sizes of its pipes, and opens their far ends."""

import fcntl
import os
from functools import partial

import wire

for number in (0, 1, 2):
    os.set_blocking(number, False)
    fcntl.fcntl(number, fcntl.F_SETFL, fcntl.fcntl(number, fcntl.F_GETFL) | os.O_ASYNC)
    os.set_blocking(number, True)
FAR_ENDS = ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDONLY))
wire.probe(
    {
        f"far end of {number}": partial(os.open, f"/proc/self/fd/{number}", flags)
        for number, flags in FAR_ENDS
    }
    | {
        f"size of {number}": partial(fcntl.fcntl, number, fcntl.F_SETPIPE_SZ, 1 << 20)
        for number in (0, 1, 2)
    }
    | {"another": lambda: fcntl.fcntl(os.pipe()[0], fcntl.F_SETPIPE_SZ, 1 << 20)}
)
