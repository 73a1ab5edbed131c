# verdict: timeout | of CPU time
# contained by: CPU charge of the whole container
# levels: docker
"""Has answered before its children, in a session of their own, begin to work."""

import os
import time

import wire

start = wire.hear()
wire.say(wire.good_answer(start))
while message := wire.hear():
    time.sleep(0.1)
    wire.say(wire.good_answer(message))
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 3)
        wire.burn(0.1)
        os._exit(0)
