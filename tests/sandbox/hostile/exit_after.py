# verdict: crash | ended with exit status 0 during the game
# contained by: end of file is a loss
# levels: docker
"""Moves, and ends as if the game were over."""

import wire

wire.say(wire.good_answer(wire.begin()))
