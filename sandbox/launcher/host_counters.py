"""The counters of a container from outside, for an OCI runtime that hides them inside (gVisor).

Only where the launcher shares the process ids and the control groups of the engine's host; else
there are none, the clock is wall time, and the record says so.
"""

import os
from contextlib import suppress
from pathlib import Path

from sandbox.cgroup import ROOT

# (controller of cgroup v1, its file, the file of v2): CPU time, memory events, peak memory.
WANTED = (
    ("cpuacct", "cpuacct.usage", "cpu.stat"),
    ("memory", "memory.oom_control", "memory.events"),
    ("memory", "memory.max_usage_in_bytes", "memory.peak"),
)


def find(pid: int, container_id: str) -> tuple[int, ...]:
    """Open the three counters of a container's control group; none unless all are there."""
    groups = {name: path for name, path in _groups(pid).items() if container_id in path.name}
    opened: list[int] = []
    with suppress(OSError, KeyError):
        for controller, old, new in WANTED:
            path = groups[controller] / old if controller in groups else groups[""] / new
            opened.append(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    if len(opened) == len(WANTED):
        return tuple(opened)
    for descriptor in opened:
        os.close(descriptor)
    return ()


def _groups(pid: int) -> dict[str, Path]:
    """Give the folder of each controller; the one of cgroup v2 goes by the empty name.

    In another PID namespace than the engine's this is some other process, or none.
    """
    try:
        lines = Path(f"/proc/{pid}/cgroup").read_text().splitlines()
    except OSError:
        return {}
    found: dict[str, Path] = {}
    for line in lines:
        _, controllers, group = line.split(":", 2)
        for controller in controllers.split(","):
            mount = ROOT / controllers if controllers else ROOT
            found[controller] = mount / group.lstrip("/")
    return found
