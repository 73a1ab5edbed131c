# verdict: crash | signal 6 (SIGABRT) during the game
# contained by: no core files
# levels: docker
"""Ends itself in the way that leaves a core."""

import os

import wire

wire.begin()
os.abort()
