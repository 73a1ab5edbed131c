# verdict: protocol_error | a key that is not known
# contained by: strict reading
# levels: docker
"""Becomes another program in mid-game: one that repeats what it hears."""

import os
import sys

import wire

message = wire.begin()
wire.say(wire.good_answer(message))
os.set_blocking(0, True)
sys.stdin.flush()
os.execv("/bin/cat", ["cat"])
