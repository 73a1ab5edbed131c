# verdict: timeout | wall time | all
# ruff: noqa: T201
"""Is ready in time, then sleeps over its move."""

import sys
import time

print("ready") if sys.stdin.readline() else None
sys.stdin.readline()
time.sleep(60)
