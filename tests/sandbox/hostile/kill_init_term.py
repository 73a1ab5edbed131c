# verdict: plays | kept in
# contained by: PID namespace
# levels: docker, bubblewrap
"""Sends process 1 every signal there is, in every way there is."""

import contextlib
import os
import signal

import wire

SIGQUEUEINFO_CALL = 129
TGKILL_CALL = 234
start = wire.hear()
for number in range(1, signal.SIGRTMAX + 1):
    for send in (
        lambda number: os.kill(1, number),
        lambda number: signal.pidfd_send_signal(os.pidfd_open(1), number),
        lambda number: wire.syscall(TGKILL_CALL, 1, 1, number),
    ):
        with contextlib.suppress(OSError):
            send(number)
wire.note("kept in" if os.getppid() == 1 else "process 1 is gone")
wire.play(start)
