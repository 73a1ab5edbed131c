# verdict: crash | closed its stdout during the game | docker, process
# ruff: noqa: T201
"""Hangs up and lives on."""

import os
import sys
import time

print("ready") if sys.stdin.readline() else None
sys.stdin.readline()
os.close(1)
time.sleep(60)
