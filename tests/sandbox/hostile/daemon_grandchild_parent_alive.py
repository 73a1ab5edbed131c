# verdict: protocol_error or illegal_action | red:
# contained by: stdout empty before each question
# levels: docker, process
"""Has a ghost that writes while the opponent thinks, or a little later on a busy machine."""

import os
import time

import wire

message = wire.begin()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(0.02)
        wire.say(wire.good_answer(message))
    os._exit(0)
os.wait()
wire.say(wire.good_answer(message))
wire.play()
