# verdict: timeout | ms of
# contained by: pids limit, CPU charge
# levels: docker, bubblewrap
"""Starts threads as far as it can, each of which is busy."""

import contextlib
import threading

import wire


def spin():
    while True:
        pass


wire.begin()
while True:
    with contextlib.suppress(RuntimeError):
        threading.Thread(target=spin, daemon=True).start()
