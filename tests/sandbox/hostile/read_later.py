# verdict: plays
# contained by: nothing to contain
# levels: docker
"""Keeps its stdin under another number, slowly, and plays on."""

import os
import sys
import time

import wire

kept = os.dup(0)
os.close(0)
sys.stdin = os.fdopen(kept)
start = wire.hear()
time.sleep(0.2)
wire.play(start)
