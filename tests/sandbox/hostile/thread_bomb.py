# verdict: timeout | ms of
# contained by: pids limit, CPU charge
# levels: docker
"""Starts threads as far as it can, each of which is busy."""

import contextlib
import ctypes
import threading

import wire

# Loaded now: a thread that ends when no room is left to load it would abort the program.
ctypes.CDLL("libgcc_s.so.1")


def spin():
    while True:
        pass


wire.begin()
while True:
    with contextlib.suppress(RuntimeError, MemoryError):
        threading.Thread(target=spin, daemon=True).start()
