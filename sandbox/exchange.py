"""The one loop that waits for bots: poll(), every seat at once, never past a deadline."""

import select
import time
from collections.abc import Callable, Mapping

from engine.protocol import Ask
from sandbox import limits
from sandbox.channel import Channel

READABLE = select.POLLIN | select.POLLHUP | select.POLLERR
WRITABLE = select.POLLOUT | select.POLLERR


class Exchange:
    """The pipes of one table. A pipe is watched from the start until it ends."""

    def __init__(self, channels: Mapping[str, Channel], on_wait: Callable[[], None]) -> None:
        self._channels = channels
        self._on_wait = on_wait
        self._poll = select.poll()
        self._stdout: dict[int, Channel] = {}
        self._stderr: dict[int, Channel] = {}
        self._stdin: dict[int, Channel] = {}
        for channel in channels.values():
            program = channel.program
            self._stdout[program.stdout] = channel
            self._stderr[program.stderr] = channel
            self._poll.register(program.stdout, READABLE)
            self._poll.register(program.stderr, READABLE)

    def ask(self, asks: Mapping[str, Ask]) -> None:
        """Send every line, then wait until each channel asked has an outcome.

        During a long wait `on_wait` is called about every second; what it raises ends the wait.
        """
        waiting = [self._channels[seat] for seat in asks]
        self._serve(0)  # whatever a bot said before it was asked
        now_s = time.monotonic()
        for seat, ask in asks.items():
            channel = self._channels[seat]
            channel.begin(ask, now_s)
            self._watch_stdin(channel)
        step_s = now_s + limits.WAIT_STEP_S
        while waiting := [channel for channel in waiting if channel.outcome is None]:
            until_s = min(step_s, *(channel.look_again_s for channel in waiting))
            self._serve(max(0.0, (until_s - time.monotonic()) * 1000))
            now_s = time.monotonic()
            for channel in waiting:
                channel.look(now_s)
            if now_s >= step_s:
                step_s = now_s + limits.WAIT_STEP_S
                self._on_wait()

    def tell(self, seat: str, line: bytes) -> None:
        """Send what needs no answer, as far as the pipe takes it."""
        channel = self._channels[seat]
        channel.unsent += line
        channel.on_writable()

    def _watch_stdin(self, channel: Channel) -> None:
        """Watch for room in the pipe only while something waits to be sent."""
        descriptor = channel.program.stdin
        if channel.unsent and descriptor not in self._stdin:
            self._stdin[descriptor] = channel
            self._poll.register(descriptor, WRITABLE)
        elif not channel.unsent and descriptor in self._stdin:
            del self._stdin[descriptor]
            self._poll.unregister(descriptor)

    def _serve(self, timeout_ms: float) -> None:
        for descriptor, _ in self._poll.poll(timeout_ms):
            if descriptor in self._stdout:
                self._serve_stdout(descriptor)
            elif descriptor in self._stderr:
                self._serve_stderr(descriptor)
            else:
                channel = self._stdin[descriptor]
                channel.on_writable()
                self._watch_stdin(channel)

    def _serve_stdout(self, descriptor: int) -> None:
        channel = self._stdout[descriptor]
        channel.on_stdout(time.monotonic())
        if channel.failed or not channel.stdout_open:
            self._poll.unregister(descriptor)
            del self._stdout[descriptor]
            self._watch_stdin(channel)

    def _serve_stderr(self, descriptor: int) -> None:
        channel = self._stderr[descriptor]
        channel.on_stderr(time.monotonic())
        if channel.failed or not channel.stderr_open:
            self._poll.unregister(descriptor)
            del self._stderr[descriptor]
