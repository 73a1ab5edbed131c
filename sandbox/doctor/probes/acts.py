"""What the doctor has a bot do while it looks on from outside."""

import fcntl
import os
import signal
import sys
import time
from typing import NoReturn

from sandbox import limits
from sandbox.doctor.probes.caps import queued_signals, start

HOGS = 9
PIPES_OF_A_HOG = 120  # all hogs together take what a user may have in full-sized pipes
PIPE_BYTES = 64 * limits.KIB  # unless the user has too many already
FEW = 8  # signals that may be pending for other reasons
LITTLE_MS, MUCH_MS = 50, 200
ORPHANS = 3
ORPHANS_LIVE_S = 60  # where nothing else ends them


def identity() -> tuple[bool, str]:
    """Return user, group and further groups, for the doctor to judge."""
    return True, " ".join(map(str, [os.getuid(), os.getgid(), *os.getgroups()]))


def burn_little() -> tuple[bool, str]:
    return _burn(LITTLE_MS)


def burn_much() -> tuple[bool, str]:
    return _burn(MUCH_MS)


def hog() -> tuple[bool, str]:
    """Take all that a user can have of pipes and of pending signals."""
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
    """See whether a neighbour's pipes and signals leave less to us."""
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
    """Write without end, and have others hang on to stdout who do not want to die."""
    for _ in range(ORPHANS):
        start(_orphan)
    flood()


def flood() -> NoReturn:
    """Write without end."""
    os.set_blocking(1, True)
    while True:
        os.write(1, b"x" * limits.KIB)


def _orphan() -> None:
    """Be nobody's child, in a session of our own, deaf to whatever can be ignored."""
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
