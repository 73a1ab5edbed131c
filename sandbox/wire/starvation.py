"""How long the host kept a program from the CPU: nobody loses because a host is busy."""

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.wire.program import CpuWaits, Program


class HostStarved(PlatformFault):
    """The host had too little CPU time for a program that was ready to run."""


class Starvation:
    """The waits of one program for the CPU, as far as the host caused them."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._first: CpuWaits | None = None  # the report before the first answer
        self._before: CpuWaits | None = None  # the latest report, if it counts
        self._total_ms = 0.0

    @property
    def is_measured(self) -> bool:
        """Return whether there was a report since `begin`."""
        return self._before is not None

    def begin(self) -> None:
        """Count nothing until the next report."""
        self._first = self._first or self._program.cpu_waits()
        self._before = None

    def check_all(self) -> None:
        """Raise HostStarved if the host kept the program from the CPU for too long in all.

        This includes the waits before answers in time, of which there was no report.
        """
        now = self._program.cpu_waits()
        if now is not None and self._first is not None:
            self._check(now.starved_ms(self._first))

    def more_ms(self) -> float:
        """Ask for a report, and return the waits since the last one, without usual short ones.

        Raise HostStarved if they exceed `limits.STARVED_MAX_MS` in total, and PlatformFault if the
        container is frozen.
        """
        before, self._before = self._before, self._program.cpu_waits()
        starved_ms = 0.0 if self._before is None else self._before.starved_ms(before)
        if starved_ms < limits.STARVED_LEAST_MS:
            return 0.0
        self._total_ms += starved_ms
        self._check(self._total_ms)
        return starved_ms

    def _check(self, starved_ms: float) -> None:
        if starved_ms > limits.STARVED_MAX_MS:
            raise HostStarved(
                "this host is short of CPU time: a program that was ready to run had to wait for "
                f"{starved_ms / 1000:.0f} s"
            )
