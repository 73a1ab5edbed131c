# verdict: timeout | ms of wall time
# contained by: wall deadline
# levels: docker
"""Answers once more, hears nothing from then on, and waits."""

import os
import time

import wire

message = wire.begin()
os.close(0)
wire.say(wire.good_answer(message))
time.sleep(60)
