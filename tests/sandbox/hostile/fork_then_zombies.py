# verdict: plays | stopped by EAGAIN
# contained by: pids limit
# levels: docker
"""Piles up children that nobody buries."""

import os

import wire

MOST = 64


def leave_a_zombie(_number):
    if os.fork() == 0:
        os._exit(0)


start = wire.hear()
wire.note(f"stopped by {wire.refusal(leave_a_zombie, MOST)}")
wire.play(start)
