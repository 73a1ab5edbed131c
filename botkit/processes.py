"""What Linux tells of the processes of a bot: their memory, and what is left of them."""

import ctypes
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

KIB = 1024
SET_CHILD_SUBREAPER, GET_CHILD_SUBREAPER = 36, 37  # of prctl(2)


def peak_bytes(pid: int) -> int:
    """Return the most memory that a process held at once; 0 where nothing tells."""
    return _read_bytes(pid, "status", "VmHWM")


def held_bytes(pid: int) -> int:
    """Return what a process and those that it started hold; what they share counts once."""
    family = [pid]
    for member in family:  # which grows
        family += _children(member)
    if len(family) == 1:
        return _read_bytes(pid, "status", "VmRSS")
    return sum(_read_bytes(member, "smaps_rollup", "Pss") for member in family)


@contextmanager
def leaving_nothing() -> Iterator[None]:
    """Create a block that leaves no process behind, such as a daemon of a bot.

    At its end, all children that began in it are killed, and so are those that come to us because
    their parent has ended. Programs that are to end by themselves have to end within the block.
    """
    if sys.platform != "linux":
        yield
        return
    own = os.getpid()
    before, was_subreaper = {*_children(own)}, ctypes.c_int(0)
    ctypes.CDLL(None).prctl(GET_CHILD_SUBREAPER, ctypes.byref(was_subreaper), 0, 0, 0)
    _be_subreaper(1)
    try:
        yield
    finally:
        while left := {*_children(own)} - before:  # the children of those that end come to us too
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(pid, 0)
        _be_subreaper(was_subreaper.value)


def _be_subreaper(wanted: int) -> None:
    """Become the parent of descendants whose parent ends, or not. An old kernel ignores it."""
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, wanted, 0, 0, 0)


def _children(pid: int) -> list[int]:
    """Return the children of a process; none where it has ended, or nothing tells."""
    folder, children = Path(f"/proc/{pid}/task"), list[int]()
    with suppress(OSError):
        for task in os.listdir(folder):  # noqa: PTH208 - names alone
            children += map(int, (folder / task / "children").read_text().split())
    return children


def _read_bytes(pid: int, file: str, name: str) -> int:
    try:
        text = Path(f"/proc/{pid}/{file}").read_text(encoding="utf-8", errors="replace")
    except OSError:  # it has ended
        return 0
    match = re.search(rf"^{name}:\s+(\d+) kB$", text, re.MULTILINE)
    return int(match[1]) * KIB if match else 0
