# verdict: plays | kept in
# contained by: system-call filter, no IPC
# levels: docker, bubblewrap
"""Keeps memory outside its processes: shared segments, queues, semaphores."""

from pathlib import Path

import wire

SHMGET, SEMGET, MSGGET, MQ_OPEN = 29, 64, 68, 240
CREATE = 0o1000 | 0o666
wire.probe(
    {
        "/dev/shm": lambda: Path("/dev/shm/kept").write_bytes(b"x"),
        "/dev": lambda: Path("/dev/kept").write_bytes(b"x"),
        "/dev/mqueue": lambda: Path("/dev/mqueue/kept").write_bytes(b"x"),
        "segment": lambda: wire.syscall(SHMGET, 0, 1 << 20, CREATE),
        "semaphore": lambda: wire.syscall(SEMGET, 0, 1, CREATE),
        "messages": lambda: wire.syscall(MSGGET, 0, CREATE),
        "queue": lambda: wire.syscall(MQ_OPEN, b"kept", 0o102, 0o666, None),
    }
)
