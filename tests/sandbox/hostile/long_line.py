# verdict: output_limit | more than 4096 bytes
# contained by: line cap
# levels: docker
"""Answers well, in one line that is a little too long."""

import wire

message = wire.begin()
wire.say(wire.good_answer(message) + " " * 4096)
wire.play()
