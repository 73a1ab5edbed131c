"""What Linux tells of the processes of a bot: their memory."""

import os
import re
from contextlib import suppress
from pathlib import Path

KIB = 1024


def peak_bytes(pid: int) -> int:
    """Return the most memory that a process held at once; 0 where nothing tells."""
    return _read_bytes(pid, "status", "VmHWM")


def held_bytes(pid: int) -> int:
    """Return what a process and those that it started hold; what they share counts once."""
    family = [pid, *_descendants(pid)]
    if len(family) == 1:
        return _read_bytes(pid, "status", "VmRSS")
    return sum(_read_bytes(each, "smaps_rollup", "Pss") for each in family)


def _descendants(pid: int) -> list[int]:
    found = _children(pid)
    for each in found:  # which grows
        found += _children(each)
    return found


def _children(pid: int) -> list[int]:
    """Return the children of a process; none where it has ended, or nothing tells."""
    folder, found = Path(f"/proc/{pid}/task"), list[int]()
    with suppress(OSError):
        for task in os.listdir(folder):  # noqa: PTH208 - names alone
            found += map(int, (folder / task / "children").read_text().split())
    return found


def _read_bytes(pid: int, file: str, name: str) -> int:
    try:
        text = Path(f"/proc/{pid}/{file}").read_text(encoding="utf-8", errors="replace")
    except OSError:  # it has ended
        return 0
    found = re.search(rf"^{name}:\s+(\d+) kB$", text, re.MULTILINE)
    return int(found[1]) * KIB if found else 0
