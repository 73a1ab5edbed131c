# verdict: crash | ended with exit status 0 during the game | all
# ruff: noqa: T201
"""Ends as if the game were over."""

import sys

print("ready") if sys.stdin.readline() else None
sys.stdin.readline()
