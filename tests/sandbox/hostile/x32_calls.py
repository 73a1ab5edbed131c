# verdict: plays | kept in
# contained by: system-call filter
# levels: docker, bubblewrap
"""Uses the second table of numbers that a 64-bit kernel may have."""

import wire

GETPID, SOCKET, X32 = 39, 41, 0x40000000
wire.probe(
    {
        "getpid": lambda: wire.in_child(lambda: wire.syscall(X32 | GETPID)),
        "socket": lambda: wire.in_child(lambda: wire.syscall(X32 | SOCKET, 40, 1, 0)),
    }
)
