# verdict: startup_timeout | wall time | all
"""Reads and stays silent, without using any CPU."""

import sys
import time

sys.stdin.readline()
time.sleep(60)
