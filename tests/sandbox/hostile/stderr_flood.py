# verdict: output_limit | more than 800 KiB to stderr | all
"""Fills its owner's log."""

import os
import sys

sys.stdin.readline()
while True:
    os.write(2, b"all is well\n" * 1000)
