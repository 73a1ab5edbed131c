# verdict: output_limit | more than 4096 bytes
# contained by: line cap, bounded reads
# levels: docker
"""Fills its pipe without waiting for anybody, and is gone."""

import os

import wire

wire.begin()
os.set_blocking(1, False)
os.write(1, b"x" * (1 << 20))
