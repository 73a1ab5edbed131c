# verdict: plays | kept in
# contained by: system-call filter
# levels: docker, bubblewrap
"""Asks for the queue through which calls are made that no filter sees."""

import ctypes

import wire

SETUP, ENTER, REGISTER = 425, 426, 427
parameters = ctypes.create_string_buffer(120)
wire.probe(
    {
        "setup": lambda: wire.syscall(SETUP, 1, parameters),
        "enter": lambda: wire.syscall(ENTER, 0, 0, 0, 0, 0, 0),
        "register": lambda: wire.syscall(REGISTER, -1, 17, parameters, 0),
    }
)
