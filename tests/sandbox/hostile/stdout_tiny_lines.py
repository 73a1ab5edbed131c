# verdict: protocol_error | more than one line
# contained by: one line per turn
# levels: docker
"""Writes lines of next to nothing, thousands of them."""

import os

import wire

wire.begin()
os.write(1, b"x\n" * 2000)
wire.play()
