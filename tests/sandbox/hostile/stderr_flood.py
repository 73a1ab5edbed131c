# verdict: output_limit | more than 800 KiB to stderr
# contained by: cap on the log
# levels: docker, process
"""Fills its owner's log."""

import os

import wire

wire.begin()
while True:
    os.write(2, b"all is well\n" * 1000)
