"""Wait for a condition, with a deadline for a busy machine."""

import time


def until(condition, what="", within_s=240.0):
    """Return the first true answer of a condition."""
    deadline_s = time.monotonic() + within_s
    while not (found := condition()):
        assert time.monotonic() < deadline_s, f"never: {what}"
        time.sleep(0.02)
    return found
