"""The counters of a container from outside, for an OCI runtime that hides them inside (gVisor).

The launcher must see the control groups of the engine's host. Otherwise there are no counters, the
clock is wall time, and the record says so.
"""

import os
from contextlib import suppress

from sandbox.host import cgroup

# (controller of cgroup v1, its file, the file of v2): CPU time, memory events, peak memory.
WANTED = (
    ("cpuacct", "cpuacct.usage", "cpu.stat"),
    ("memory", "memory.oom_control", "memory.events"),
    ("memory", "memory.max_usage_in_bytes", "memory.peak"),
)
# The places of a container's control group, with and without systemd.
GROUPS = ("docker/{id}", "system.slice/docker-{id}.scope")


def find(container_id: str) -> tuple[int, ...]:
    """Open the three counters of a container's control group; return none unless all exist."""
    for group in GROUPS:
        path = group.format(id=container_id)
        opened: list[int] = []
        with suppress(OSError):
            for controller, old, new in WANTED:
                folder, name = (path, new) if cgroup.unified() else (f"{controller}/{path}", old)
                opened.append(os.open(cgroup.ROOT / folder / name, os.O_RDONLY | os.O_CLOEXEC))
        if len(opened) == len(WANTED):
            return tuple(opened)
        for descriptor in opened:
            os.close(descriptor)
    return ()
