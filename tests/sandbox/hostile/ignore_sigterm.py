# verdict: timeout | ms of
# contained by: only SIGKILL is sent
# levels: docker, process
"""Ignores every signal that can be ignored, and everything else."""

import contextlib
import signal

import wire

wire.begin()
for number in signal.valid_signals():
    with contextlib.suppress(OSError):
        signal.signal(number, signal.SIG_IGN)
while True:
    pass
