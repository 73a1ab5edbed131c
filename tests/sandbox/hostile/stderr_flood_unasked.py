# verdict: output_limit | more than 800 KiB to stderr
# contained by: cap on the log
# levels: docker
"""Fills its owner's log while the opponent thinks."""

import os
import threading

import wire


def flood():
    while True:
        os.write(2, b"all is well\n" * 1000)


message = wire.begin()
wire.say(wire.good_answer(message))
threading.Thread(target=flood, daemon=True).start()
wire.play()
