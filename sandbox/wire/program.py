"""A running bot for the referee: three pipe ends, an end, and perhaps a CPU clock."""

import signal
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Exit:
    """How a program ended: with a status or by a signal, and whether it ran out of memory."""

    status: int | None
    signal: int | None = None
    out_of_memory: bool = False

    def in_words(self) -> str:
        """Return the end as a text for the owner of the bot."""
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

    def exit(self, wait_ms: float) -> Exit | None:
        """Wait up to `wait_ms` for the end of the bot; return None while it is alive."""
        ...

    def kill(self) -> None:
        """Kill the bot and all processes that it started. Safe to call twice."""
        ...

    def close(self) -> None:
        """Kill the bot, wait until it is gone, and release its resources. Safe to call twice."""
        ...
