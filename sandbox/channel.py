"""One bot's end of the conversation: bounded reads, absolute deadlines, a line for a line.

Nothing here blocks and nothing trusts the bot: `sandbox.exchange` calls in when a pipe is ready.
"""

import os
from dataclasses import dataclass, field

from engine.protocol import LINE_CAP_BYTES, Answer, Ask, Failure, Fault
from sandbox import limits
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
        self.last_answer = b""  # whatever came, understood or not, up to a cap
        self.unsent = b""
        self.stdout_open = True
        self.stderr_open = True
        self._failure: Failure | None = None  # once set, nothing is asked of the bot again
        self._use_cpu_clock = use_cpu_clock
        self._cpu_charged_ms = 0.0
        self._wall_spent_ms = 0.0
        self._received = b""
        self._ask: Ask | None = None
        self._began_s = 0.0
        self._deadline_s = 0.0
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
            self._ended()
            return
        self._received += chunk
        if self._ask is None:
            said = "wrote to stdout before it was asked"
            self._fail(Fault.PROTOCOL_ERROR, said)
        else:
            self._judge_received(now_s)

    def on_stderr(self) -> None:
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
            self._fail(Fault.OUTPUT_LIMIT, f"wrote more than {most} KiB to stderr")

    def look(self, now_s: float) -> None:
        """Compare the clocks with the allowance, and settle when to look again."""
        if self._ask is None or self.outcome is not None or now_s < self.look_again_s:
            return
        used_ms = self._used_ms(now_s)
        left_ms = self._ask.allowance_ms - used_ms
        if left_ms <= 0:
            self._over_allowance(used_ms)
            return
        if now_s >= self._deadline_s:
            waited_ms = (now_s - self._began_s) * 1000
            self._late(f"gave no answer within {waited_ms:.0f} ms of wall time", used_ms)
            return
        again_s = now_s + max(left_ms / limits.CORES, limits.CLOCK_LOOK_MS) / 1000
        self.look_again_s = min(self._deadline_s, again_s)

    def close(self) -> None:
        """End the bot; keep what it had still written to its log."""
        self.program.kill()
        self._drain_log()
        self.program.close()

    def _drain_log(self) -> None:
        while self.stderr_open and self.log.total <= limits.STDERR_MAX_BYTES:
            before = self.log.total
            self.on_stderr()
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
            self._fail(Fault.OUTPUT_LIMIT, f"answered with more than {LINE_CAP_BYTES} bytes")
        elif rest:
            said = "answered with more than one line"
            self._fail(Fault.PROTOCOL_ERROR, said)
        elif feed:
            self._answered(line, now_s)

    def _answered(self, line: bytes, now_s: float) -> None:
        ask = self._ask
        if ask is None:
            return
        used_ms = self._used_ms(now_s)
        if used_ms > ask.allowance_ms:
            self._over_allowance(used_ms)
            return
        self._cpu_charged_ms += used_ms
        self._wall_spent_ms += (now_s - self._began_s) * 1000
        self._ask = None
        self._received = b""
        self.last_answer = line
        self.outcome = Answer(line, used_ms)

    def _over_allowance(self, used_ms: float) -> None:
        allowed_ms = self._ask.allowance_ms if self._ask else 0.0
        basis = "CPU" if self._use_cpu_clock else "wall"
        self._late(f"used {used_ms:.0f} ms of {basis} time; {allowed_ms:.0f} were allowed", used_ms)

    def _late(self, detail: str, used_ms: float) -> None:
        fault = Fault.STARTUP_TIMEOUT if self._ask and self._ask.starting else Fault.TIMEOUT
        self._fail(fault, detail, charged_ms=used_ms)

    def _ended(self) -> None:
        """Find out why a bot's output has ended."""
        end = self.program.exit(limits.EXIT_WAIT_MS)
        self._drain_log()
        when = "before it was ready" if self._ask and self._ask.starting else "during the game"
        if end is None:
            self._fail(Fault.CRASH, f"closed its stdout {when}")
        elif end.out_of_memory or self._says_memory_error(end):
            words = Exit(end.status, end.signal, out_of_memory=True).in_words()
            self._fail(Fault.MEMORY_LIMIT, words)
        else:
            self._fail(Fault.CRASH, f"{end.in_words()} {when}")

    def _says_memory_error(self, end: Exit) -> bool:
        """Where only addresses are capped, an interpreter out of memory says so and exits."""
        return end.status == 1 and MEMORY_ERROR in self.log.text()[-200:]

    def _fail(self, fault: Fault, detail: str, *, charged_ms: float = 0.0) -> None:
        if self._failure is not None:
            return
        self.last_answer = self._received[: limits.RECEIVED_KEEP_BYTES]
        self._failure = Failure(fault, detail, charged_ms)
        self.outcome = self._failure
        self._ask = None
        self.unsent = b""
        self.program.kill()
