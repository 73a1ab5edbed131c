# verdict: plays | stopped by EMFILE
# contained by: limit on open files, own user id
# levels: docker
"""Fills as many pipes as it can."""

import os

import wire

MOST = 128


def fill(_number):
    _, end = os.pipe()
    os.set_blocking(end, False)
    os.write(end, b"x" * 65536)


start = wire.hear()
wire.note(f"stopped by {wire.refusal(fill, MOST)}")
wire.play(start)
