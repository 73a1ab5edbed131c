"""A program whose other ends the test holds: what it says and uses is settled line by line."""

import os
from contextlib import contextmanager

from engine.protocol import Answer, Failure
from sandbox.wire.program import Exit


class Piped:
    """Implements `sandbox.wire.program.Program` over three pipes of this process."""

    def __init__(self, cpu_ms=None):
        self.stdin, self.stdout, self.stderr = -1, -1, -1
        self.used_ms = cpu_ms  # of CPU; None for a program without such a clock
        self.peak_bytes = None
        self.waited = []  # what it will report of its waits for the CPU, one after the other
        self.ended = None
        self.killed = False
        self.reads, self.stdin = os.pipe()
        self.stdout, self.says = os.pipe()
        self.stderr, self.logs = os.pipe()
        for descriptor in (self.stdin, self.stdout, self.stderr, self.reads):
            os.set_blocking(descriptor, False)

    def say(self, text):
        os.write(self.says, text)

    def log(self, text):
        os.write(self.logs, text)

    def heard(self):
        """Return what has arrived at its stdin since the last look."""
        try:
            return os.read(self.reads, 1 << 20)
        except BlockingIOError:
            return b""

    def end(self, **how):
        """End by itself: the outputs close, the status is there."""
        self.ended = Exit(**{"status": None, **how})
        self.hang_up("says")
        self.hang_up("logs")

    def hang_up(self, *names):
        """Close ends of its own: `reads`, `says`, `logs`."""
        for name in names:
            if getattr(self, name) >= 0:
                os.close(getattr(self, name))
                setattr(self, name, -1)

    def cpu_ms(self):
        return self.used_ms

    def peak_memory_bytes(self):
        return self.peak_bytes

    def cpu_waits(self):
        return self.waited.pop(0) if self.waited else None

    def exit(self, wait_ms):
        return self.ended

    def kill(self):
        self.killed = True

    def close(self):
        self.hang_up("reads", "says", "logs", "stdin", "stdout", "stderr")


@contextmanager
def piped(cpu_ms=None):
    """Make such a program and close what is open of it afterwards."""
    program = Piped(cpu_ms)
    try:
        yield program
    finally:
        program.close()


def fault(outcome):
    """Return what a bot lost its seat by, and the words for its owner."""
    assert isinstance(outcome, Failure)
    return outcome.fault, outcome.detail


def answer(outcome):
    """Return what a bot answered."""
    assert isinstance(outcome, Answer)
    return outcome
