# verdict: crash | closed its stdout during the game
# contained by: end of file is a loss
# levels: docker
"""Answers without the end of the line, and hangs up."""

import os
import time

import wire

os.write(1, wire.good_answer(wire.begin()).encode())
os.close(1)
time.sleep(60)
