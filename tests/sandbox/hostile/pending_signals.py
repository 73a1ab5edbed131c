# verdict: plays | stopped by EAGAIN
# contained by: limit on pending signals, own user id
# levels: docker
"""Queues signals that nobody takes."""

import ctypes
import os
import signal

import wire

MOST = 256
QUEUE = 128  # sizeof siginfo_t
SIGQUEUEINFO_CALL, SI_QUEUE = 129, -1


def queue(_number):
    code = SI_QUEUE.to_bytes(4, "little", signed=True)
    info = ctypes.create_string_buffer(bytes(8) + code, QUEUE)
    wire.syscall(SIGQUEUEINFO_CALL, os.getpid(), signal.SIGRTMIN + 1, info)


start = wire.hear()
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
wire.note(f"stopped by {wire.refusal(queue, MOST)}")
wire.play(start)
