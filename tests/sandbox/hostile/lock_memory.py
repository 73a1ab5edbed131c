# verdict: plays | kept in
# contained by: limit on locked memory
# levels: docker
# under gvisor: plays | open: all | nothing is locked in the memory of the host
"""Locks memory, so that it is never swapped out."""

import ctypes

import wire

page = ctypes.create_string_buffer(1 << 16)
wire.probe(
    {
        "page": lambda: wire.checked(wire.LIBC.mlock(page, 1 << 16)),
        "all": lambda: wire.checked(wire.LIBC.mlockall(2)),
    }
)
