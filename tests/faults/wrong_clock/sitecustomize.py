"""Python imports this first, on the host with the wrong clock.

With the monotonic clock left alone, faketime makes a wrong system call of `time.sleep`, whose
moment to wake is absolute.
"""

import select
import time


def _sleep(seconds: float) -> None:
    select.select((), (), (), seconds)


time.sleep = _sleep  # type: ignore[assignment] # it takes less: numbers only
