# verdict: plays | kept in | docker
# ruff: noqa: T201
"""Looks for a program that would run as somebody else."""

import os
import stat
import sys
from pathlib import Path

ELSEWHERE = ("/proc", "/sys", "/dev")


def found():
    for folder, folders, files in os.walk("/"):
        folders[:] = [name for name in folders if str(Path(folder, name)) not in ELSEWHERE]
        for path in (Path(folder, name) for name in files):
            if path.lstat().st_mode & (stat.S_ISUID | stat.S_ISGID):
                yield str(path)


answer = list(found()) or "kept in"
for _line in sys.stdin:
    print(answer)
