# verdict: timeout | time | all
# ruff: noqa: ERA001, T201
"""Burns CPU over its move."""

import sys

print("ready") if sys.stdin.readline() else None
sys.stdin.readline()
while True:
    pass
