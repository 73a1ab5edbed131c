"""The only loop that waits for bots: poll() on all seats at once, never past a deadline."""

import select
from collections.abc import Callable, Mapping
from time import monotonic

from engine.protocol import Ask
from sandbox import limits
from sandbox.wire.channel import Channel

READABLE = select.POLLIN | select.POLLHUP | select.POLLERR
WRITABLE = select.POLLOUT | select.POLLERR


class Exchange:
    """The pipes of one table. Outputs are watched from the start until they end."""

    def __init__(self, channels: Mapping[str, Channel], on_wait: Callable[[], None]) -> None:
        self._channels = channels
        self._on_wait = on_wait
        self._poll = select.poll()
        self._served: dict[int, Callable[[float], bool]] = {}
        for channel in channels.values():
            self._watch(channel.program.stdout, READABLE, channel.on_stdout)
            self._watch(channel.program.stderr, READABLE, channel.on_stderr)

    def ask(self, asks: Mapping[str, Ask]) -> None:
        """Send every line, then wait until each channel asked has an outcome.

        During a long wait, call `on_wait` about every second; an exception from it ends the wait.
        """
        now_s = self._serve(monotonic())  # read what a bot wrote before it was asked
        step_s = now_s + limits.WAIT_STEP_S
        waiting = [self._channels[seat] for seat in asks]
        for channel, ask in zip(waiting, asks.values(), strict=True):
            if channel.begin(ask, now_s):
                # Watch a bot's stdin for room only while something waits to be sent.
                self._watch(channel.program.stdin, WRITABLE, channel.on_writable)
        while waiting := [channel for channel in waiting if channel.outcome is None]:
            until_s = min([step_s, *(channel.look_again_s for channel in waiting)])
            now_s = self._serve(until_s)
            for channel in waiting:
                channel.look(now_s)
            if now_s >= step_s:
                step_s = now_s + limits.WAIT_STEP_S
                self._on_wait()

    def tell(self, seat: str, line: bytes) -> None:
        """Send a line that needs no answer, as far as the pipe accepts it."""
        self._channels[seat].send(line)

    def wait_for_ends(self, wait_s: float) -> None:
        """End all inputs, and wait until all outputs have ended, at most so long.

        Outputs and logs end when the bots exit. A bot that still has to read something gets it.
        """
        until_s = monotonic() + wait_s
        outputs = set[int]()
        for channel in self._channels.values():
            if channel.end_input():
                self._watch(channel.program.stdin, WRITABLE, channel.on_last_writable)
            outputs |= {channel.program.stdout, channel.program.stderr}
        while outputs & self._served.keys() and monotonic() < until_s:
            self._serve(until_s)

    def _watch(self, descriptor: int, events: int, serve: Callable[[float], bool]) -> None:
        self._poll.register(descriptor, events)
        self._served[descriptor] = serve

    def _serve(self, until_s: float) -> float:
        """Wait for any pipe until `until_s`, serve the ready ones, and return the time in s.

        If this process itself ran much later than that, the bots are not charged for it.
        """
        began_s = monotonic()
        until_s = max(until_s, began_s)
        ready = self._poll.poll((until_s - began_s) * 1000)
        now_s = monotonic()
        if now_s - until_s > limits.RUNNER_LATE_S:
            for channel in self._channels.values():
                channel.pause(now_s - until_s)
        for descriptor, _ in ready:
            if not self._served[descriptor](now_s):
                self._poll.unregister(descriptor)
                del self._served[descriptor]
        return now_s
