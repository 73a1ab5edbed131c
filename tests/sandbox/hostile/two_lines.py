# verdict: protocol_error | more than one line | all
"""Gives two answers to one question."""

import os
import sys

for _line in sys.stdin:
    os.write(1, b"one\ntwo\n")
