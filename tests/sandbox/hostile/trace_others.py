# verdict: plays | kept in
# contained by: system-call filter
# levels: docker
"""Traces a child, and reads the memory of another."""

import ctypes
import os
import signal

import wire

PTRACE_CALL, TRACEME, ATTACH, READ_CALL = 101, 0, 16, 310
page = ctypes.create_string_buffer(8)
child = os.fork()
if child == 0:
    signal.pause()
wire.probe(
    {
        "be traced": lambda: wire.in_child(lambda: wire.syscall(PTRACE_CALL, TRACEME, 0, 0, 0)),
        "attach": lambda: wire.syscall(PTRACE_CALL, ATTACH, child, 0, 0),
    }
)
