# verdict: timeout | ms of wall time
# contained by: wall deadline
# levels: docker
"""Stops itself, so that it uses no time at all."""

import os
import signal

import wire

wire.begin()
os.kill(os.getpid(), signal.SIGSTOP)
