# verdict: plays | kept in
# contained by: system-call filter, Docker's seccomp profile
# levels: docker, bubblewrap
"""Uses the kernel's keyrings, which know no namespace."""

import wire

ADD_KEY, REQUEST_KEY, KEYCTL = 248, 249, 250
PROCESS_RING, USER_RING, JOIN = -2, -4, 1
wire.probe(
    {
        "add": lambda: wire.syscall(ADD_KEY, b"user", b"name", b"secret", 6, PROCESS_RING),
        "request": lambda: wire.syscall(REQUEST_KEY, b"user", b"name", None, USER_RING),
        "join": lambda: wire.syscall(KEYCTL, JOIN, None, 0, 0, 0),
    }
)
