"""What a bot did wrong, in the words that its author reads at home and on a site."""

import signal as signals

from engine.protocol import LINE_CAP_BYTES

KIB = 1024
WROTE_EARLY = "wrote to stdout before it was asked"
LINE_TOO_LONG = f"answered with more than {LINE_CAP_BYTES} bytes"
MORE_LINES = "answered with more than one line"
OUT_OF_MEMORY = "was ended because it used more memory than a bot may"
CLOSED = "closed its stdout"


def too_much_stderr(most_bytes: int) -> str:
    """Return the words for a bot that wrote more to stderr than it may."""
    return f"wrote more than {most_bytes // KIB} KiB to stderr"


def over_allowance(*, used_ms: float, basis: str, allowance_ms: float) -> str:
    """Return the words for a bot that took too long; `basis` is the clock, "wall" or "CPU"."""
    return f"used {used_ms:.0f} ms of {basis} time; {allowance_ms:.0f} were allowed"


def ended(*, status: int | None, signal: int | None) -> str:
    """Return how a program ended: with a status or by a signal."""
    if signal is None:
        return f"ended with exit status {status}"
    try:
        name = signals.Signals(signal).name
    except ValueError:
        name = "unknown"
    return f"was ended by signal {signal} ({name})"


def when(*, is_ready: bool) -> str:
    """Return when a program ended."""
    return "during the game" if is_ready else "before it was ready"
