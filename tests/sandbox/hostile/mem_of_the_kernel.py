# verdict: memory_limit | more memory
# contained by: memory limit counts the kernel's buffers too
# levels: docker
"""Has children that hold next to nothing themselves, but whose sockets hold a lot."""

import contextlib
import os
import signal
import socket
import time

import wire

CHILDREN, PAIRS_EACH = 40, 100
ballast = b"x" * (60 << 20)  # the largest process goes first, and that is to be this one


def fill(end):
    end.setblocking(False)  # noqa: FBT003 - the call takes it so
    with contextlib.suppress(BlockingIOError):
        while end.send(b"x" * 65536):
            pass


wire.hear()
for _ in range(CHILDREN):
    if os.fork() == 0:
        pairs = [socket.socketpair() for _ in range(PAIRS_EACH)]
        for pair in pairs:
            fill(pair[0])
            fill(pair[1])
        signal.pause()
    time.sleep(0.01)
wire.note("more than the limit was had")
wire.play()
