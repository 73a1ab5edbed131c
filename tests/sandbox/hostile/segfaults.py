# verdict: crash | signal 11 (SIGSEGV) during the game | all
# ruff: noqa: T201
"""Dies of a signal."""

import os
import signal
import sys

print("ready") if sys.stdin.readline() else None
sys.stdin.readline()
os.kill(os.getpid(), signal.SIGSEGV)
