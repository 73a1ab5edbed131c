"""A running bot for the referee: three pipe ends, an end, and perhaps a CPU clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from engine import faults


@dataclass(frozen=True, slots=True)
class Exit:
    """How a program ended: with a status or by a signal, and whether it ran out of memory."""

    status: int | None
    signal: int | None = None
    out_of_memory: bool = False

    def in_words(self) -> str:
        """Return the end as a text for the owner of the bot."""
        if self.out_of_memory:
            return faults.OUT_OF_MEMORY
        return faults.ended(status=self.status, signal=self.signal)


@dataclass(frozen=True, slots=True)
class CpuWaits:
    """What the first process of a container reported about waiting for the CPU.

    `by_task` maps each task to the milliseconds for which it was ready to run but did not run,
    since its start. `cpu_ms` is the CPU time of the whole container then, and `at_s` the time of
    the monotonic clock. The report itself came `late_ms` later than the CPU time of the container
    explains.
    """

    by_task: Mapping[int, float]
    cpu_ms: float
    at_s: float
    late_ms: float = 0.0

    def starved_ms(self, before: "CpuWaits | None") -> float:
        """Return how long the host kept the bot from the CPU since `before`, or a little less.

        A task also waits while the other tasks of its container use up the quota of one core. It
        does so for no longer than their CPU time, which is therefore subtracted. A bot that sleeps
        does not wait for the CPU, and no bot waits for longer than the time that has passed.
        """
        if before is None:
            return self.late_ms
        waited_ms = (ms - before.by_task.get(task, 0.0) for task, ms in self.by_task.items())
        starved_ms = max(waited_ms, default=0.0) - (self.cpu_ms - before.cpu_ms)
        passed_ms = (self.at_s - before.at_s) * 1000
        return max(0.0, min(max(starved_ms, self.late_ms), passed_ms))


class Program(Protocol):
    """One started bot. Its owner has the three descriptors, non-blocking; `close` closes them."""

    stdin: int
    stdout: int
    stderr: int

    def cpu_ms(self) -> float | None:
        """Return the CPU time used so far by the bot and its children; None without a clock."""
        ...

    def peak_memory_bytes(self) -> int | None:
        """Return the most memory that the bot and its children held at once; None if unknown."""
        ...

    def cpu_waits(self) -> CpuWaits | None:
        """Ask how long the bot waited for the CPU; return None if nothing can tell.

        Raise `PlatformFault` if there is no answer for `limits.WAITS_S`: the container is frozen.
        """
        ...

    def exit(self, wait_ms: float) -> Exit | None:
        """Wait up to `wait_ms` for the end of the bot; return None while it is alive."""
        ...

    def kill(self) -> None:
        """Kill the bot and all processes that it started. Safe to call twice."""
        ...

    def close(self) -> None:
        """Kill the bot, wait until it is gone, and release its resources. Safe to call twice."""
        ...
