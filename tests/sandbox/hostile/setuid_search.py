# verdict: plays | kept in
# contained by: no setuid file in the image
# levels: docker
"""Looks for a program that would run as somebody else."""

import os
import stat
from pathlib import Path

import wire

ELSEWHERE = ("/proc", "/sys", "/dev")


def found():
    for folder, folders, files in os.walk("/"):
        folders[:] = [name for name in folders if str(Path(folder, name)) not in ELSEWHERE]
        for path in (Path(folder, name) for name in files):
            if path.lstat().st_mode & (stat.S_ISUID | stat.S_ISGID):
                yield str(path)


start = wire.hear()
wire.note(", ".join(found()) or "kept in")
wire.play(start)
