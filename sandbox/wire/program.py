"""A running bot as the referee sees it: three pipe ends, an end, perhaps a CPU clock."""

import signal
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Exit:
    """How a program ended: with a status, or by a signal; and whether it had run out of memory."""

    status: int | None
    signal: int | None = None
    out_of_memory: bool = False

    def in_words(self) -> str:
        """Say it to the owner of the bot."""
        if self.out_of_memory:
            return "was ended because it used more memory than a bot may"
        if self.signal is None:
            return f"ended with exit status {self.status}"
        try:
            name = signal.Signals(self.signal).name
        except ValueError:
            name = "unknown"
        return f"was ended by signal {self.signal} ({name})"


class Program(Protocol):
    """One started bot. The three descriptors are ours, non-blocking, closed by `close`."""

    stdin: int
    stdout: int
    stderr: int

    def cpu_ms(self) -> float | None:
        """Return the CPU time used so far by the bot and its children; None without a clock."""
        ...

    def peak_memory_bytes(self) -> int | None:
        """Return the most memory that the bot and its children held at once; None where unknown."""
        ...

    def exit(self, wait_ms: float) -> Exit | None:
        """Wait so long for the end of the bot; None while it is alive."""
        ...

    def kill(self) -> None:
        """End the bot and all it started, at once. Safe to call twice."""
        ...

    def close(self) -> None:
        """Kill, wait until it is gone, and give back what it held. Safe to call twice."""
        ...
