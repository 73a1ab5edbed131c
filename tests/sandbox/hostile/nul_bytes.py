# verdict: protocol_error | not JSON
# contained by: strict reading
# levels: docker
"""Hides a NUL in its answer."""

import os

import wire

wire.begin()
os.write(1, b'{"action": "a1\x00a2"}\n')
wire.play()
