# verdict: protocol_error | before it was asked | all
"""Sends its next move before the question."""

import os
import sys
import time

for _line in sys.stdin:
    os.write(1, b"one\n")
    time.sleep(0.02)
    os.write(1, b"two\n")
