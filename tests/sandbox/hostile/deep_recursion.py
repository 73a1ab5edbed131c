# verdict: crash | signal 11 (SIGSEGV) during the game
# contained by: process boundary
# levels: docker
"""Falls through the bottom of a stack."""

import sys
import threading

import wire

nest: list[object] = []
for _ in range(20_000):
    nest = [nest]
wire.begin()
sys.setrecursionlimit(1 << 30)
threading.stack_size(1 << 16)
threading.Thread(target=lambda: repr(nest)).start()
