# verdict: protocol_error | before it was asked
# contained by: stdout empty before each question
# levels: docker
"""Sends its next move before the question, when its last one has been taken."""

import time

import wire

answer = wire.good_answer(wire.begin())
wire.say(answer)
time.sleep(0.02)
wire.say(answer)
wire.play()
