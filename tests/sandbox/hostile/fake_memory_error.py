# verdict: crash | ended with exit status 1 during the game
# contained by: memory is counted by the kernel
# levels: docker
"""Says that it had no memory, so as to look unlucky."""

import sys

import wire

wire.begin()
wire.note("MemoryError")
sys.exit(1)
