# verdict: timeout | ms of wall time
# contained by: absolute deadline of the whole line
# levels: docker
"""Sends its answer byte by byte, each of them in time."""

import os
import time

import wire

wire.begin()
while True:
    os.write(1, b" ")
    time.sleep(0.05)
