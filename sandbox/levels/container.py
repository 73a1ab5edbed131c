"""A bot in a container, from the moment when its launcher has sent the order.

This module talks only to the container's first process, arena_init, which reports the start and the
end of the bot, and kills everything when its control socket closes.
"""

import os
import select
import signal
import socket
import time

from botkit import languages
from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.host.cgroup import Meter
from sandbox.launcher.order import Launched, Launcher, Order
from sandbox.wire.program import CpuWaits, Exit

REPORT_BYTES = 4096
ASK_WAITS = b"?"
WAITS = "waits"
NOT_EXECUTABLE = 126  # as a shell reports it


class ContainerProgram:
    """A running container. Its control socket is its life line."""

    def __init__(self, launched: Launched) -> None:
        self._launched = launched
        self._control = launched.control
        self._meter = Meter(*launched.counters) if launched.counters else None
        self._end: Exit | None = None
        self._closed = False
        self.oci_runtime = launched.oci_runtime
        self.stdin, self.stdout, self.stderr = launched.stdin, launched.stdout, launched.stderr

    def await_start(self, *, own_program: bool) -> None:
        """Wait until the bot runs. Raise `PlatformFault`.

        With `own_program`, the executed program is the bot's own file and not part of the image: if
        it cannot be executed, that is the end of the bot and not a fault of the platform. The same
        applies if memory ran out before any report.
        """
        self._control.settimeout(limits.LAUNCH_WAIT_S)
        try:
            what, _, number = self._control.recv(REPORT_BYTES).decode().partition(" ")
        except OSError as error:
            raise PlatformFault(f"a container did not start its bot: {error}") from error
        if not what:
            self._end = self._unreported_end()
        elif what == "exec" and own_program:
            self._end = Exit(NOT_EXECUTABLE)
        elif what == "exec":
            reason = os.strerror(int(number))
            raise PlatformFault(f"the runtime image cannot run a bot: {reason}")
        elif what == "fork":
            reason = os.strerror(int(number))
            raise PlatformFault(f"a container had no process to run its bot in: {reason}")
        elif what != "start":
            raise PlatformFault(f"a container reported {what!r} in place of its start")

    def cpu_ms(self) -> float | None:
        return None if self._meter is None else self._meter.cpu_ms()

    def peak_memory_bytes(self) -> int | None:
        return None if self._meter is None else self._meter.peak_memory_bytes()

    def cpu_waits(self) -> CpuWaits | None:
        if self._meter is None or self._closed:
            return None
        began_s, began_cpu_ms = time.monotonic(), self._meter.cpu_ms()
        try:
            self._control.send(ASK_WAITS, socket.MSG_NOSIGNAL)
        except OSError:  # the container is gone
            return None
        report = self._receive(limits.WAITS_S * 1000)
        if report is not None and not report.startswith(WAITS):  # the bot has just ended
            self._end = self._read_end(report)
            return None
        if report is None:
            raise PlatformFault(f"a container was frozen for more than {limits.WAITS_S:.0f} s")
        now_s, cpu_ms = time.monotonic(), self._meter.cpu_ms()
        late_ms = (now_s - began_s) * 1000 - (cpu_ms - began_cpu_ms)
        pairs = (pair.split(":") for pair in report.removeprefix(WAITS).split())
        by_task = {int(task): float(ms) for task, ms in pairs}
        return CpuWaits(by_task, cpu_ms, now_s, max(0.0, late_ms))

    def exit(self, wait_ms: float) -> Exit | None:
        if self._end is None and not self._closed:
            report = self._receive(wait_ms)
            if report is not None:
                self._end = self._read_end(report)
        return self._end

    def kill(self) -> None:
        # Hanging up kills the bot; the descriptor itself lives until close().
        if self._closed:
            return
        try:
            self._control.shutdown(socket.SHUT_RDWR)
        except OSError:  # arena_init hung up first: the container is already gone
            return

    def close(self) -> None:
        if self._closed:
            return
        if self._meter is not None:
            self._meter.close()
        self.kill()
        self._closed = True
        self._control.close()
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.close(descriptor)
        self._launched.release()

    def _receive(self, wait_ms: float) -> str | None:
        """Return the next report, "" after the end of arena_init; None if none comes in time."""
        ready = select.poll()
        ready.register(self._control, select.POLLIN)
        if not ready.poll(wait_ms):
            return None
        try:
            return self._control.recv(REPORT_BYTES).decode()
        except OSError:
            return ""

    def _read_end(self, report: str) -> Exit:
        """Return the end of the bot from a report. Raise `PlatformFault` for an accident."""
        if not report:
            return self._unreported_end()
        oom = self._oom_counted()
        what, _, number = report.partition(" ")
        if what == "signal":
            return Exit(None, signal=int(number), out_of_memory=oom)
        return Exit(int(number), out_of_memory=oom and int(number) != 0)

    def _unreported_end(self) -> Exit:
        """Return how a bot ended that made arena_init end. Raise `PlatformFault` if no bot did.

        A bot that fills memory that none of its processes holds can make the kernel kill
        arena_init. If its counter disappeared with the container, the engine still knows. Otherwise
        only an operator, or an engine that restarts, ends arena_init.
        """
        if self._oom_counted() or self._launched.ran_out_of_memory():
            return Exit(None, signal=signal.SIGKILL.value, out_of_memory=True)
        raise PlatformFault("a container was ended from outside during the game")

    def _oom_counted(self) -> bool:
        return self._meter is not None and self._meter.oom_kills() > 0


def start(launcher: Launcher, order: Order) -> ContainerProgram:
    """Start the ordered container. Raise `PlatformFault` and leave nothing behind."""
    running = ContainerProgram(launcher.launch(order))
    language = languages.find(order.language)
    own_program = language is not None and language.run[0] == languages.PLACE
    try:
        running.await_start(own_program=own_program and order.purpose == "bot")
    except BaseException:
        running.close()
        raise
    return running
