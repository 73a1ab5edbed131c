# verdict: plays | stopped before 480 MiB
# contained by: memory limit of the whole container
# levels: docker
"""Spreads over children, one after another, what one process may not have."""

import os
import signal

import wire

CHILDREN, SHARE_BYTES = 6, 80 << 20


def has_its_share():
    done, tell = os.pipe()
    if os.fork() == 0:
        kept = b"x" * SHARE_BYTES
        os.write(tell, kept[:1])
        signal.pause()
    os.close(tell)
    return os.read(done, 1) == b"x"


start = wire.hear()
had = all([has_its_share() for _ in range(CHILDREN)])
wire.note("480 MiB were had" if had else "stopped before 480 MiB")
wire.play(start)
