# verdict: crash | signal 11 (SIGSEGV) during the game
# contained by: process boundary
# levels: docker
"""Dies of an address that is none."""

import ctypes

import wire

wire.begin()
ctypes.string_at(8)
