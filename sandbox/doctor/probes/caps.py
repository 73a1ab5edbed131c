"""Experiments about quantities: processes, memory, files, signals, priorities."""

import contextlib
import ctypes
import errno
import mmap
import os
import resource
import select
import signal
import time
from collections.abc import Callable
from functools import lru_cache

from sandbox import limits
from sandbox.doctor.probes.files import scratch

LIBC = ctypes.CDLL(None, use_errno=True)
FORKS_TRIED = 4 * limits.TASKS
FILES_TRIED = 4 * limits.OPEN_FILES
MEMORY_TRIED = 4 * limits.MEMORY_BYTES
STEP = 8 * limits.MIB
MEMORY_SLACK = STEP
EATERS = 4
EACH_EATS = 100 * limits.MIB
SEEN_DEAD = os.WEXITED | os.WNOHANG | os.WNOWAIT
BURN_S = 0.5  # long compared with the kernel's period of 100 ms for CPU shares
NICER = 2
CORES_SLACK = 0.25


def tasks() -> tuple[bool, str]:
    started: list[int] = []
    with contextlib.suppress(OSError):
        while len(started) < FORKS_TRIED:
            started.append(start(signal.pause))
    end(started)
    return len(started) <= limits.TASKS, f"{len(started)} processes started"


def open_files() -> tuple[bool, str]:
    opened: list[int] = []
    reason = 0
    try:
        while len(opened) < FILES_TRIED:
            opened.append(os.open("/dev/null", os.O_RDONLY))
    except OSError as error:
        reason = error.errno or 0
    for descriptor in opened:
        os.close(descriptor)
    held = reason == errno.EMFILE and len(opened) <= limits.OPEN_FILES
    return held, f"{len(opened)} opened"


def queued_signals() -> int:
    """Queue signals to this process until the kernel refuses more; return their number."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMIN})
    queued = 0
    while queued < 2 * limits.PENDING_SIGNALS and not LIBC.sigqueue(
        os.getpid(), int(signal.SIGRTMIN), None
    ):
        queued += 1
    return queued


def signals() -> tuple[bool, str]:
    queued = queued_signals()
    while signal.sigtimedwait({signal.SIGRTMIN}, 0):
        continue
    return queued <= limits.PENDING_SIGNALS, f"{queued} queued"


def memory() -> tuple[bool, str]:
    taken = _eaten(MEMORY_TRIED)
    return taken < MEMORY_TRIED, f"one process got {taken >> 20} MiB"


def swap() -> tuple[bool, str]:
    """Take memory until the process ends; memory beyond the cap can only come from swap."""
    taken = _eaten(MEMORY_TRIED)
    return taken <= limits.MEMORY_BYTES + MEMORY_SLACK, f"{taken >> 20} MiB in all"


def all_memory() -> tuple[bool, str]:
    """Have processes that are each below the cap together take more than the cap."""
    ready, say = os.pipe()

    def eat() -> None:
        kept = bytearray(b"x") * EACH_EATS
        os.write(say, b"." * (len(kept) > 0))
        signal.pause()

    eaters = [start(eat) for _ in range(EATERS)]
    sated = 0
    while sated < EATERS and not os.waitid(os.P_ALL, 0, SEEN_DEAD):
        if select.select([ready], [], [], 0.02)[0]:
            sated += len(os.read(ready, EATERS))
    # The last one may have used memory that the death of another freed.
    survivors = [eater for eater in eaters if _ended_by_us(eater)]
    for descriptor in (ready, say):
        os.close(descriptor)
    each = f"{EATERS} processes of {EACH_EATS >> 20} MiB"
    return len(survivors) < EATERS, f"{len(survivors)} of {each} lived"


def _ended_by_us(child: int) -> bool:
    """Kill a process; return False if the kernel killed it first."""
    os.kill(child, signal.SIGTERM)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == -signal.SIGTERM


def core_dumps() -> tuple[bool, str]:
    """Crash in a folder that could take a core dump."""
    os.chdir(scratch())
    _, status = os.waitpid(start(os.abort), 0)
    os.chdir("/")
    return not os.WCOREDUMP(status), "dumped" if os.WCOREDUMP(status) else "none"


def priority() -> tuple[bool, str]:
    """Try to raise the priority, in a process that ends with the result as its status."""

    def get_ahead() -> None:
        with contextlib.suppress(OSError):
            os.nice(-1)
            os._exit(NICER)
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))

    ways = {NICER: "could be nicer to itself", 0: "could run in real time"}
    _, status = os.waitpid(start(get_ahead), 0)
    way = ways.get(os.waitstatus_to_exitcode(status))
    return way is None, way or "cannot be raised"


def locked_memory() -> tuple[bool, str]:
    page = mmap.mmap(-1, mmap.PAGESIZE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    locked = LIBC.mlock(ctypes.c_void_p(address), mmap.PAGESIZE) == 0
    return not locked, "a page was locked" if locked else "refused"


def cores() -> tuple[bool, str]:
    """Burn CPU in one process more than a bot has cores."""

    def burn() -> None:
        while True:
            pass

    began_s = time.monotonic()
    before_s = _children_s()
    burners = [start(burn) for _ in range(limits.CORES + 1)]
    time.sleep(BURN_S)
    end(burners)
    used = (_children_s() - before_s) / (time.monotonic() - began_s)
    return used <= limits.CORES + CORES_SLACK, f"{used:.2f} cores used at once"


def start(act: Callable[[], object]) -> int:
    """Run `act` in a new process and return its id. Its status is 0 unless `act` failed."""
    child = os.fork()
    if child == 0:
        try:
            act()
            os._exit(0)
        finally:
            os._exit(1)
    return child


def end(children: list[int]) -> None:
    for child in children:
        with contextlib.suppress(OSError):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


@lru_cache(maxsize=1)
def _eaten(most: int) -> int:
    """Have a child use up to `most` bytes of memory; return how many it got."""
    progress, say = os.pipe()

    def eat() -> None:
        kept: list[bytearray] = []
        while STEP * len(kept) < most:
            kept.append(bytearray(b"x") * STEP)
            os.write(say, b".")

    child = start(eat)
    os.close(say)
    taken = 0
    while got := os.read(progress, 4096):
        taken += STEP * len(got)
    os.close(progress)
    os.waitpid(child, 0)
    return taken


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
