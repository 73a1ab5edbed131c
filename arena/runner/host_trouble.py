"""Known trouble of this host costs a job no attempt, and its runner takes no jobs meanwhile."""

import time

from arena.runner import programs
from sandbox.wire.starvation import HostStarved

REST_S = 60.0  # after a game on a host with too little CPU time


class HostRests(Exception):
    """The host was short of CPU time a moment ago."""


class Rest:
    """The rest of this process."""

    until_s = float("-inf")  # of the monotonic clock


def explains(*, trouble: Exception) -> bool:
    """Return whether a known trouble of this host is the cause; then no attempt is lost.

    That is an engine or launcher that is unavailable right now, or a lack of CPU time. After the
    latter, this process rests.
    """
    if isinstance(trouble, HostStarved):
        Rest.until_s = time.monotonic() + REST_S
        return True
    return programs.is_away()


def check() -> None:
    """Raise HostRests while this process rests."""
    left_s = Rest.until_s - time.monotonic()
    if left_s > 0:
        raise HostRests(
            f"this host had too little CPU time for a game; it takes no jobs for {left_s:.0f} s. "
            "If that happens again, lower its number of runners or what else it does"
        )
