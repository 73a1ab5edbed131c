# verdict: protocol_error | more than one line
# contained by: one line per turn
# levels: docker, process
"""Gives two answers to one question."""

import wire

answer = wire.good_answer(wire.begin())
wire.say(answer, answer)
wire.play()
