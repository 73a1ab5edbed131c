# verdict: crash | closed its stdout during the game
# contained by: end of file is a loss
# levels: docker, process
"""Hangs up and lives on."""

import os
import time

import wire

wire.begin()
os.close(1)
time.sleep(60)
