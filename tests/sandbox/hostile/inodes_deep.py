# verdict: plays | stopped by ENOSPC
# contained by: inodes of the tmpfs
# levels: docker
# under gvisor: plays | stopped by nothing | its files are its memory, which is capped
"""Makes folders inside folders as far as it can."""

import os

import wire

MOST = 1024


def deeper(_number):
    os.mkdir("d")
    os.chdir("d")


os.chdir("/tmp")
start = wire.hear()
wire.note(f"stopped by {wire.refusal(deeper, MOST)}")
wire.play(start)
