"""Experiments of two bots side by side: whether the files of their images are the same files.

Where they are, the kernel keeps each of them once, and one bot can tell the other what it does.
"""

import ctypes
import mmap
import os
import platform
import time
from contextlib import suppress
from pathlib import Path

from sandbox.doctor.probes.caps import LIBC, end, start

LIBRARY = Path(os.environ.get("PYTHONPATH", "/opt/drapeau"), "botkit")  # a folder of the image
FILE = LIBRARY / "__init__.py"
FUTEX = {"x86_64": 202, "aarch64": 98}[platform.machine()]
FUTEX_WAIT, FUTEX_WAKE = 0, 1  # between processes
EVERYBODY = 1000
NO_MAP = ctypes.c_void_p(-1).value
SLEEP_S = 30
WAKE_S, WAKE_STEP_S = 0.5, 0.01
NAMES = 256
NAMES_KNOWN_MAX = 192  # of all: half by chance, all but a few where a neighbour's are remembered

sleepers: list[int] = []


class _Timespec(ctypes.Structure):
    _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))


def sleep_on_image() -> tuple[bool, str]:
    """Have a process sleep until somebody wakes it through a file of the image."""
    word, at_most = _word(), _Timespec(SLEEP_S, 0)

    def sleep() -> None:
        LIBC.syscall(FUTEX, ctypes.byref(word), FUTEX_WAIT, word.value, ctypes.byref(at_most))

    sleepers.append(start(sleep))
    return True, "sleeps"


def wake_through_image() -> tuple[bool, str]:
    """Try for a while to wake a process of the neighbour."""
    word = _word()
    until_s = time.monotonic() + WAKE_S
    while time.monotonic() < until_s:
        if LIBC.syscall(FUTEX, ctypes.byref(word), FUTEX_WAKE, EVERYBODY) > 0:
            return False, "woken through a file"
        time.sleep(WAKE_STEP_S)
    return True, "not woken through a file"


def leave_names(word: str) -> tuple[bool, str]:
    """End what sleeps, and look for files that do not exist: the kernel remembers their names."""
    while sleepers:
        end([sleepers.pop()])
    for number in range(NAMES):
        _look_ns(f"{word}{number:04}")
    return True, f"{NAMES} names"


def find_names(word: str) -> tuple[bool, str]:
    """Compare the time that the neighbour's names take with that of names nobody looked for."""
    for letter in ("a", "b"):
        _look_ns(word + letter)
    known = 0
    for number in range(NAMES):
        pair = (f"{word}{number:04}", f"{word}{number:04}-new")
        first, other = (_look_ns(name) for name in (pair if number % 2 else pair[::-1]))
        known += first < other if number % 2 else other < first
    return known <= NAMES_KNOWN_MAX, f"{known} of {NAMES} names remembered"


def _word() -> ctypes.c_uint32:
    """Map the beginning of the file. Raise OSError."""
    with FILE.open("rb") as file:
        LIBC.mmap.restype = ctypes.c_void_p
        place = LIBC.mmap(
            None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), ctypes.c_long(0)
        )
    if place == NO_MAP:
        raise OSError(ctypes.get_errno(), f"{FILE} cannot be mapped")
    return ctypes.c_uint32.from_address(place)


def _look_ns(name: str) -> int:
    began_ns = time.perf_counter_ns()
    with suppress(OSError):
        (LIBRARY / name).stat()
    return time.perf_counter_ns() - began_ns
