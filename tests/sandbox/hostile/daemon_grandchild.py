# verdict: crash | ended with exit status 0 during the game
# contained by: PID namespace: what a bot leaves is killed
# levels: docker, bubblewrap
"""Leaves a child in a session of its own that holds the pipes."""

import os
import time

import wire

wire.begin()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
