"""Actions of the doctor's bots that the doctor observes from outside."""

import fcntl
import os
import signal
import sys
import time
from typing import NoReturn

from sandbox import limits
from sandbox.doctor.probes.caps import queued_signals, start

HOGS = 9
PIPES_OF_A_HOG = 120  # all hogs together take a user's limit of full-sized pipes
PIPE_BYTES = 64 * limits.KIB  # less if the user has too many pipes already
FEW = 8  # signals that may be pending for other reasons
LITTLE_MS, MUCH_MS = 50, 200
ORPHANS = 3
ORPHANS_LIVE_S = 60  # if nothing else ends them


def identity() -> tuple[bool, str]:
    """Return user, group and further groups, for the doctor to compare."""
    return True, " ".join(map(str, [os.getuid(), os.getgid(), *os.getgroups()]))


def burn_little() -> tuple[bool, str]:
    return _burn(LITTLE_MS)


def burn_much() -> tuple[bool, str]:
    return _burn(MUCH_MS)


def hog() -> tuple[bool, str]:
    """Take all pipes and pending signals that one user can have."""
    ready, say = os.pipe()

    def take() -> None:
        kept = [os.pipe() for _ in range(PIPES_OF_A_HOG)]
        os.write(say, b"." * (len(kept) > 0))
        signal.pause()

    for _ in range(HOGS):
        start(take)
    for _ in range(HOGS):
        os.read(ready, 1)
    return True, f"{HOGS * PIPES_OF_A_HOG} pipes and {queued_signals()} signals"


def beside_hog() -> tuple[bool, str]:
    """Test if a neighbour's pipes and signals reduce what this bot can have."""
    size = fcntl.fcntl(os.pipe()[0], fcntl.F_GETPIPE_SZ)
    queued = queued_signals()
    held = size == PIPE_BYTES and queued >= limits.PENDING_SIGNALS - FEW
    return held, f"beside a greedy bot: {queued} signals, pipes of {size // limits.KIB} KiB"


def crash() -> NoReturn:
    """End without being out of memory."""
    os.kill(os.getpid(), signal.SIGKILL)
    sys.exit()


def use_all_memory() -> NoReturn:
    kept = bytearray()
    while True:
        kept += b"x" * limits.MIB


def flood_with_orphans() -> NoReturn:
    """Write without end, with orphans that keep stdout open and resist being killed."""
    for _ in range(ORPHANS):
        start(_orphan)
    flood()


def flood() -> NoReturn:
    """Write without end."""
    os.set_blocking(1, True)
    while True:
        os.write(1, b"x" * limits.KIB)


def _orphan() -> None:
    """Become an orphan in a new session that ignores every signal that can be ignored."""
    os.setsid()
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGALRM}:
        signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        signal.alarm(ORPHANS_LIVE_S)
        signal.pause()


def _burn(cpu_ms: int) -> tuple[bool, str]:
    until_s = time.process_time() + cpu_ms / 1000
    while time.process_time() < until_s:
        continue
    return True, str(cpu_ms)
