# verdict: timeout | of CPU time
# contained by: CPU charge between own moves
# levels: docker
"""Thinks on the opponent's turn; its own it sleeps away."""

import os
import time

import wire

if os.fork() == 0:
    os.dup2(os.open("/dev/null", os.O_RDWR), 1)
    while True:
        pass
start = wire.hear()
wire.say(wire.good_answer(start))
while message := wire.hear():
    time.sleep(0.1)
    wire.say(wire.good_answer(message))
