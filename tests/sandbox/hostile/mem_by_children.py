# verdict: plays | stopped before 360 MiB
# contained by: memory limit of the whole container
# levels: docker
# under gvisor: memory_limit | used more memory than a bot may | one program, for the host
"""Spreads over children, one after another, what one process may not have."""

import os
import signal

import wire

CHILDREN, SHARE_BYTES = 3, 120 << 20


def take_its_share():
    done, tell = os.pipe()
    if os.fork() == 0:
        kept = b"x" * SHARE_BYTES
        os.write(tell, kept[:1])
        signal.pause()
    os.close(tell)
    os.read(done, 1)  # nothing, if it is the one that had to go


start = wire.hear()
for _ in range(CHILDREN):
    take_its_share()
alive = os.waitpid(-1, os.WNOHANG) == (0, 0)
wire.note("360 MiB were had" if alive else "stopped before 360 MiB")
wire.play(start)
