# verdict: output_limit | more than 4096 bytes
# contained by: line cap
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
