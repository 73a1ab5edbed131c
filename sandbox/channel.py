"""One bot's end of the conversation: bounded reads, absolute deadlines, a line for a line.

Nothing here blocks and nothing trusts the bot: `sandbox.exchange` calls in when a pipe is ready.
"""

import os
import time
from dataclasses import dataclass, field

from engine.protocol import LINE_CAP_BYTES, Answer, Ask, Failure, Fault
from sandbox import limits
from sandbox.evidence import Evidence
from sandbox.program import Exit, Program

LEFT_OUT = b"\n[... %d bytes left out ...]\n"
MEMORY_ERROR = b"\nMemoryError"


@dataclass(slots=True)
class StderrLog:
    """The beginning and the end of what a bot wrote to stderr."""

    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    total: int = 0

    def add(self, chunk: bytes) -> None:
        """Keep what matters of another piece."""
        self.total += len(chunk)
        room = limits.STDERR_KEEP_BYTES - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[room:]
        if len(self.tail) > 2 * limits.STDERR_KEEP_BYTES:
            del self.tail[: -limits.STDERR_KEEP_BYTES]

    def text(self) -> bytes:
        """Give what was kept, with a mark where something is missing."""
        end = bytes(self.tail[-limits.STDERR_KEEP_BYTES :])
        missing = self.total - len(self.head) - len(end)
        return bytes(self.head) + (LEFT_OUT % missing if missing else b"") + end


class Channel:
    """What was sent to a bot, what came back, and what its thinking has cost."""

    def __init__(self, program: Program, *, use_cpu_clock: bool) -> None:
        self.program = program
        self.log = StderrLog()
        self.outcome: Answer | Failure | None = None  # of the ask in progress
        self.unsent = b""
        self.stdout_open = True
        self.stderr_open = True
        self._failure: Failure | None = None  # once set, nothing is asked of the bot again
        self._use_cpu_clock = use_cpu_clock
        self._cpu_charged_ms = 0.0
        self._wall_spent_ms = 0.0
        self._ask: Ask | None = None  # the last one
        self._asking = False  # whether it is still to be answered
        self._received = b""  # since the last ask
        self._began_s = 0.0
        self._deadline_s = 0.0
        self._wall_ms = 0.0  # from the last ask to what came of it
        self._charged_ms = 0.0  # for it
        self._end: Exit | None = None  # of a bot that ended by itself
        self.look_again_s = 0.0  # when the clocks must be looked at, if nothing happens before

    @property
    def failed(self) -> bool:
        """Tell whether the bot has lost its seat."""
        return self._failure is not None

    def begin(self, ask: Ask, now_s: float) -> None:
        """Start the clock of one ask. Its line leaves as fast as the bot reads."""
        self.outcome = self._failure
        if self._failure is not None:
            return
        self._ask = ask
        self._asking = True
        self._began_s = now_s
        self._received = b""
        wall_ms = ask.allowance_ms
        if self._use_cpu_clock:
            wall_ms = limits.wall_deadline_ms(ask.allowance_ms)
        self._deadline_s = now_s + min(wall_ms, self._wall_left_ms()) / 1000
        self.look_again_s = min(self._deadline_s, now_s + ask.allowance_ms / 1000)
        self.unsent += ask.line
        self.on_writable()

    def on_writable(self) -> None:
        """Push out what the pipe takes. A bot that closed its stdin shows by what it answers."""
        if not self.unsent or self._failure is not None:
            return
        try:
            sent = os.write(self.program.stdin, self.unsent)
        except BlockingIOError:
            return
        except BrokenPipeError:
            self.unsent = b""
            return
        self.unsent = self.unsent[sent:]

    def on_stdout(self, now_s: float) -> None:
        """Take what is there, at most one bounded read."""
        if self._failure is not None:
            return
        try:
            chunk = os.read(self.program.stdout, limits.READ_BYTES)
        except BlockingIOError:
            return
        if not chunk:
            self.stdout_open = False
            self._ended(now_s)
        elif self._asking:
            self._received += chunk
            self._judge_received(now_s)
        else:
            self._received = chunk
            self._fail(Fault.PROTOCOL_ERROR, "wrote to stdout before it was asked", now_s)

    def on_stderr(self, now_s: float) -> None:
        """Drain the owner's log; a bot that floods it loses."""
        try:
            chunk = os.read(self.program.stderr, limits.READ_BYTES)
        except BlockingIOError:
            return
        if not chunk:
            self.stderr_open = False
            return
        self.log.add(chunk)
        if self.log.total > limits.STDERR_MAX_BYTES:
            most = limits.STDERR_MAX_BYTES // limits.KIB
            self._fail(Fault.OUTPUT_LIMIT, f"wrote more than {most} KiB to stderr", now_s)

    def look(self, now_s: float) -> None:
        """Compare the clocks with the allowance, and settle when to look again."""
        if self._ask is None or self.outcome is not None or now_s < self.look_again_s:
            return
        left_ms = self._ask.allowance_ms - self._used_ms(now_s)
        if left_ms <= 0:
            self._over_allowance(self._ask, now_s)
            return
        if now_s >= self._deadline_s:
            waited_ms = (now_s - self._began_s) * 1000
            self._late(self._ask, f"gave no answer within {waited_ms:.0f} ms of wall time", now_s)
            return
        again_s = now_s + max(left_ms / limits.CORES, limits.CLOCK_LOOK_MS) / 1000
        self.look_again_s = min(self._deadline_s, again_s)

    def evidence(self) -> Evidence | None:
        """Give what is known of the last exchange; None where the bot was never asked."""
        if self._ask is None:
            return None
        return Evidence(
            request=self._ask.line[: limits.EVIDENCE_REQUEST_BYTES],
            received=self._received[: LINE_CAP_BYTES + 1],
            charged_ms=self._charged_ms,
            allowance_ms=self._ask.allowance_ms,
            wall_ms=self._wall_ms,
            cpu_ms=self.program.cpu_ms(),
            peak_memory_bytes=self.program.peak_memory_bytes(),
            exit_status=self._end.status if self._end else None,
            signal=self._end.signal if self._end else None,
        )

    def close(self) -> None:
        """End the bot; keep what it had still written to its log."""
        self.program.kill()
        self._drain_log(time.monotonic())
        self.program.close()

    def _drain_log(self, now_s: float) -> None:
        while self.stderr_open and self.log.total <= limits.STDERR_MAX_BYTES:
            before = self.log.total
            self.on_stderr(now_s)
            if self.log.total == before:
                break

    def _wall_left_ms(self) -> float:
        return limits.SEAT_WALL_MS - self._wall_spent_ms

    def _used_ms(self, now_s: float) -> float:
        if self._use_cpu_clock:
            return (self.program.cpu_ms() or 0.0) - self._cpu_charged_ms
        return (now_s - self._began_s) * 1000

    def _judge_received(self, now_s: float) -> None:
        line, feed, rest = self._received.partition(b"\n")
        if len(line) > LINE_CAP_BYTES or len(self._received) > LINE_CAP_BYTES + 1:
            said = f"answered with more than {LINE_CAP_BYTES} bytes"
            self._fail(Fault.OUTPUT_LIMIT, said, now_s)
        elif rest:
            self._fail(Fault.PROTOCOL_ERROR, "answered with more than one line", now_s)
        elif feed and self._ask is not None:
            self._answered(self._ask, line, now_s)

    def _answered(self, ask: Ask, line: bytes, now_s: float) -> None:
        self._settle(now_s)
        if self._charged_ms > ask.allowance_ms:
            self._over_allowance(ask, now_s)
            return
        self._cpu_charged_ms += self._charged_ms
        self._wall_spent_ms += self._wall_ms
        self.outcome = Answer(line, self._charged_ms)

    def _settle(self, now_s: float) -> None:
        """Stop the clocks of the ask in progress, if there is one."""
        if self._asking:
            self._asking = False
            self._charged_ms = self._used_ms(now_s)
            self._wall_ms = (now_s - self._began_s) * 1000

    def _over_allowance(self, ask: Ask, now_s: float) -> None:
        self._settle(now_s)
        basis = "CPU" if self._use_cpu_clock else "wall"
        used = f"used {self._charged_ms:.0f} ms of {basis} time"
        self._late(ask, f"{used}; {ask.allowance_ms:.0f} were allowed", now_s)

    def _late(self, ask: Ask, detail: str, now_s: float) -> None:
        fault = Fault.STARTUP_TIMEOUT if ask.starting else Fault.TIMEOUT
        self._fail(fault, detail, now_s)

    def _ended(self, now_s: float) -> None:
        """Find out why a bot's output has ended."""
        self._end = end = self.program.exit(limits.EXIT_WAIT_MS)
        self._drain_log(now_s)
        starting = self._asking and self._ask is not None and self._ask.starting
        when = "before it was ready" if starting else "during the game"
        if end is None:
            self._fail(Fault.CRASH, f"closed its stdout {when}", now_s)
        elif end.out_of_memory or self._says_memory_error(end):
            words = Exit(end.status, end.signal, out_of_memory=True).in_words()
            self._fail(Fault.MEMORY_LIMIT, words, now_s)
        else:
            self._fail(Fault.CRASH, f"{end.in_words()} {when}", now_s)

    def _says_memory_error(self, end: Exit) -> bool:
        """Where only addresses are capped, an interpreter out of memory says so and exits."""
        return end.status == 1 and MEMORY_ERROR in self.log.text()[-200:]

    def _fail(self, fault: Fault, detail: str, now_s: float) -> None:
        if self._failure is not None:
            return
        self._settle(now_s)
        self._failure = Failure(fault, detail, self._charged_ms)
        self.outcome = self._failure
        self.unsent = b""
        self.program.kill()
