# verdict: crash | ended with exit status 0 | docker, bubblewrap
"""Leaves a child in a session of its own that holds the pipes."""

import os
import sys
import time

sys.stdin.readline()
if os.fork() == 0:
    os.setsid()
    time.sleep(60)
