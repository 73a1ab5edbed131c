# verdict: crash | signal 11 (SIGSEGV) during the game
# contained by: process boundary
# levels: docker
"""Falls through the bottom of its stack."""

import sys

import wire

nest = []
for _ in range(200_000):
    nest = [nest]
wire.begin()
sys.setrecursionlimit(1 << 30)
repr(nest)
