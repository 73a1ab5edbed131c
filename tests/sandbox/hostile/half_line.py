# verdict: crash | ended with exit status 0 during the game
# contained by: end of file is a loss
# levels: docker
"""Ends in the middle of its answer."""

import os

import wire

answer = wire.good_answer(wire.begin()).encode()
os.write(1, answer[: len(answer) // 2])
