# verdict: plays | no child is left
# contained by: memory limit of the whole container
# levels: docker
"""Spreads over children what one process may not have."""

import os
import time

import wire

SHARE_BYTES = 80 << 20
start = wire.hear()
children = []
for _ in range(6):
    child = os.fork()
    if child == 0:
        kept = b"x" * SHARE_BYTES
        time.sleep(0.3)
        os._exit(0)
    children.append(child)
ends = [os.WIFSIGNALED(os.waitpid(child, 0)[1]) for child in children]
wire.note("no child is left" if any(ends) else "480 MiB were had")
wire.play(start)
