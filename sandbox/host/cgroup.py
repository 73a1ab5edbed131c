"""Kernel counters of a container: CPU time, and processes killed for lack of memory.

arena_init opens the three files inside the container and passes them out, so that this process does
not need the path of the control group. They stay open: one read takes about a microsecond.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
READ_BYTES = 4096
NS_PER_MS = 1_000_000
US_PER_MS = 1_000
USAGE_USEC = re.compile(rb"^usage_usec (\d+)$", re.MULTILINE)
OOM_KILL = re.compile(rb"^oom_kill (\d+)$", re.MULTILINE)


def unified() -> bool:
    """Return whether this host only uses cgroup v2."""
    return (ROOT / "cgroup.controllers").exists()


@dataclass(slots=True)
class Meter:
    """The three counters of one container. After its end they keep their last values."""

    cpu: int  # descriptor of cpuacct.usage (v1, ns) or cpu.stat (v2, us)
    memory: int  # descriptor of memory.oom_control (v1) or memory.events (v2)
    peak: int  # descriptor of memory.max_usage_in_bytes (v1) or memory.peak (v2)
    last_cpu_ms: float = 0.0
    last_oom_kills: int = 0
    last_peak_bytes: int = 0

    def cpu_ms(self) -> float:
        """Return the CPU time used by everything in the container so far."""
        content = _read(self.cpu)
        if content.rstrip().isdigit():
            self.last_cpu_ms = int(content) / NS_PER_MS
        elif match := USAGE_USEC.search(content):
            self.last_cpu_ms = int(match[1]) / US_PER_MS
        return self.last_cpu_ms

    def oom_kills(self) -> int:
        """Count the processes that the kernel killed because the container's memory was full."""
        if match := OOM_KILL.search(_read(self.memory)):
            self.last_oom_kills = int(match[1])
        return self.last_oom_kills

    def peak_memory_bytes(self) -> int:
        """Return the peak memory of all processes in the container together, in bytes.

        On cgroup v2 before Linux 5.19, which records no peak, return the present memory.
        """
        content = _read(self.peak)
        if content.rstrip().isdigit():
            self.last_peak_bytes = int(content)
        return self.last_peak_bytes

    def close(self) -> None:
        """Read the last values and close the counters."""
        self.cpu_ms()
        self.peak_memory_bytes()
        for descriptor in (self.cpu, self.memory, self.peak):
            os.close(descriptor)
        self.cpu = self.memory = self.peak = -1


def _read(descriptor: int) -> bytes:
    try:
        return os.pread(descriptor, READ_BYTES, 0)
    except OSError:  # the control group disappeared with its container
        return b""
