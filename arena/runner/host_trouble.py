"""Known trouble of this host costs a job no attempt, and its runner takes no jobs meanwhile."""

import errno
import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from arena.domain.queue import host_clock
from arena.domain.queue.host_clock import ClockIsOff
from arena.runner import programs
from sandbox.host import disk
from sandbox.wire.starvation import HostStarved

REST_S = 60.0  # after a game on a host with too little CPU time
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


class HostRests(Exception):
    """The host was short of CPU time a moment ago, or its disk is nearly full."""


class Rest:
    """The rest of this process."""

    until_s = float("-inf")  # of the monotonic clock


def explains(*, trouble: Exception) -> bool:
    """Return whether a known trouble of this host is the cause; then no attempt is lost.

    That is an engine or launcher that is unavailable right now, a full disk, or a lack of CPU time.
    After the latter, this process rests.
    """
    if isinstance(trouble, HostStarved):
        Rest.until_s = time.monotonic() + REST_S
        return True
    no_room = any(isinstance(why, OSError) and why.errno in NO_ROOM for why in _causes(trouble))
    return no_room or bool(disk.shortage(_folder())) or programs.is_away()


def check() -> None:
    """Raise HostRests while this process rests, and while the disk of its folder is full."""
    left_s = Rest.until_s - time.monotonic()
    if left_s > 0:
        raise HostRests(
            f"this host had too little CPU time for a game; it takes no jobs for {left_s:.0f} s. "
            "If that happens again, lower its number of runners or what else it does"
        )
    if lacks := disk.shortage(_folder()):
        raise HostRests(lacks)


def present() -> str:
    """Return what keeps this host from taking jobs, for its operator; empty if nothing does.

    The clock is looked at here too: if it is ahead, messages expire before any job checks it.
    Raise DatabaseError.
    """
    try:
        check()
        programs.level()
        host_clock.check()
    except (HostRests, ClockIsOff, *programs.TROUBLE) as why:
        return str(why)
    return ""


def _folder() -> Path:
    return Path(settings.RUN_DIR)


def _causes(trouble: BaseException) -> Iterator[BaseException]:
    """Yield an exception and those that it was raised from."""
    why: BaseException | None = trouble
    while why is not None:
        yield why
        why = why.__cause__
