# verdict: plays | the child was ended by signal 9
# contained by: memory limit of the whole container
# levels: docker
# under gvisor: memory_limit | used more memory than a bot may | one program, for the host
"""Lets a child take all the memory, step by step."""

import os
import time

import wire

STEP_BYTES = 8 << 20
start = wire.hear()
child = os.fork()
if child == 0:
    kept = []
    while True:
        kept.append(b"x" * STEP_BYTES)
        time.sleep(0.001)
wire.note(f"the child was ended by signal {os.WTERMSIG(os.waitpid(child, 0)[1])}")
wire.play(start)
