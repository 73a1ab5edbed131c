# verdict: protocol_error | not UTF-8
# contained by: strict reading
# levels: docker
"""Answers in bytes that are no text."""

import os

import wire

wire.begin()
os.write(1, b'{"action": "\xff\xfe"}\n')
wire.play()
