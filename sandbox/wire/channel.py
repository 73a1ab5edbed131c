"""The channel to one bot: bounded reads, absolute deadlines, one line for each line.

Nothing here blocks or trusts the bot: `sandbox.wire.exchange` calls it when a pipe is ready.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path

from engine import faults
from engine.protocol import LINE_CAP_BYTES, Answer, Ask, Failure, Fault
from sandbox import limits
from sandbox.wire.evidence import Evidence
from sandbox.wire.program import Exit, Program
from sandbox.wire.starvation import Starvation

NOTE = b"[arena] %s\n"
LEFT_OUT = b"\n[... %d bytes left out ...]\n"
MEMORY_ERROR = b"\nMemoryError"
NOTHING_ASKED = Ask(b"", 0.0, starting=True)


@dataclass(slots=True)
class StderrLog:
    """The beginning and the end of a bot's stderr, after what the arena notes for its owner."""

    notes: bytearray = field(default_factory=bytearray)
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    total: int = 0

    @property
    def flooded(self) -> bool:
        """Return whether the bot wrote more than it may."""
        return self.total > limits.STDERR_MAX_BYTES

    def add(self, chunk: bytes) -> None:
        """Add a chunk; keep only the beginning and the end."""
        self.total += len(chunk)
        room = limits.STDERR_KEEP_BYTES - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[room:]
        if len(self.tail) > 2 * limits.STDERR_KEEP_BYTES:
            del self.tail[: -limits.STDERR_KEEP_BYTES]

    def note(self, text: str) -> None:
        """Add a line of the arena's, which does not count as output of the bot."""
        self.notes += NOTE % text.encode("ascii", "backslashreplace")

    def text(self) -> bytes:
        """Return the kept text, with a mark for the missing part."""
        end = bytes(self.tail[-limits.STDERR_KEEP_BYTES :])
        missing = self.total - len(self.head) - len(end)
        return bytes(self.notes + self.head) + (LEFT_OUT % missing if missing else b"") + end


class Channel:
    """The lines sent to a bot, its answers, and the charged time.

    `now_s` is a time of the monotonic clock. The `on_…` return if the pipe stays watched.
    """

    def __init__(self, program: Program, *, use_cpu_clock: bool) -> None:
        self.program = program
        self.log = StderrLog()
        self.outcome: Answer | Failure | None = None  # of the current ask
        self.look_again_s = 0.0  # when the clocks must be checked, if nothing happens before
        self._failure: Failure | None = None  # once set, the bot is not asked again
        self._unsent = b""
        self._use_cpu_clock = use_cpu_clock
        self._cpu_charged_ms = 0.0  # for all answers
        self._wall_spent_ms = 0.0  # for all answers
        self._ask = NOTHING_ASKED  # the last one
        self._asking = False  # whether it is still unanswered
        self._received = b""  # since the last ask
        self._began_s = 0.0
        self._deadline_s = 0.0
        self._is_last_wall = False  # whether the deadline is that of the whole game
        self._charged_ms = 0.0  # for the last ask
        self._wall_ms = 0.0  # from the last ask to its outcome
        self._starvation = Starvation(program)
        self._hung_up_s: float | None = None  # when its stdout was seen to have ended
        self._end: Exit | None = None
        self._is_over = False  # the game, as far as this bot can act in it

    def begin(self, ask: Ask, now_s: float) -> bool:
        """Start the clock of one ask. Return whether a part of its line is still unsent."""
        self.outcome = self._failure
        if self._failure is not None or self._hung_up_s is not None:
            return False
        self._ask = ask
        self._asking = True
        self._received = b""
        self._starvation.begin()
        self._began_s = now_s
        allowance_ms = ask.allowance_ms
        wall_ms = limits.wall_deadline_ms(allowance_ms) if self._use_cpu_clock else allowance_ms
        seat_ms = limits.SEAT_WALL_MS - self._wall_spent_ms
        self._is_last_wall = self._use_cpu_clock and seat_ms < wall_ms
        self._deadline_s = now_s + min(wall_ms, seat_ms) / 1000
        self.look_again_s = min(self._deadline_s, now_s + allowance_ms / 1000)
        return self.send(ask.line)

    def send(self, line: bytes) -> bool:
        """Send a line as fast as the bot reads. Return whether a part of it is still unsent."""
        self._unsent += line
        return self.on_writable(0.0)

    def end_input(self) -> bool:
        """Close the input of the bot once all is sent. Return whether a part is still unsent.

        Its output and its end no longer count, and no line can follow.
        """
        self._is_over = True
        return self.on_last_writable(0.0)

    def on_last_writable(self, now_s: float) -> bool:
        """Write what the pipe accepts, and close it after the last part.

        The descriptor stays open, on no pipe, as the program closes it with its others.
        """
        if self.on_writable(now_s):
            return True
        with Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), self.program.stdin, inheritable=False)
        return False

    def on_writable(self, _now_s: float) -> bool:
        """Write what the pipe accepts. If stdin is closed, the answers of the bot will show it."""
        if self._failure is None and self._unsent:
            try:
                self._unsent = self._unsent[os.write(self.program.stdin, self._unsent) :]
            except BlockingIOError:
                return True
            except BrokenPipeError:
                self._unsent = b""
        return self._unsent != b""

    def on_stdout(self, now_s: float) -> bool:
        """Read what is available, in at most one bounded read."""
        if self._failure is not None:
            return False
        chunk = _read(self.program.stdout)
        if self._is_over:
            return chunk != b""
        if chunk:
            self._judge(chunk, now_s)
        elif chunk is not None:
            self._hung_up_s = now_s
            self._look_for_end(self._hung_up_s, now_s)
            return False
        return self._failure is None

    def on_stderr(self, now_s: float) -> bool:
        """Read the owner's log; a bot that floods it loses."""
        chunk = _read(self.program.stderr)
        self.log.add(chunk or b"")
        if self.log.flooded:
            message = faults.too_much_stderr(limits.STDERR_MAX_BYTES)
            self._fail(Fault.OUTPUT_LIMIT, message, now_s)
            return False
        return chunk != b""

    def pause(self, gap_s: float) -> None:
        """Leave a part of the wall time out: the bot or the runner could not run."""
        self._began_s += gap_s
        self._deadline_s += gap_s

    def look(self, now_s: float) -> None:
        """Compare the clocks with the allowance, and set the time of the next check.

        Raise PlatformFault if the host kept the bot from the CPU for too long.
        """
        if self.outcome is not None or now_s < self.look_again_s:
            return
        if self._hung_up_s is not None:
            self._look_for_end(self._hung_up_s, now_s)
            return
        left_ms = self._ask.allowance_ms - self._used_ms(now_s)
        if left_ms <= 0:
            self._over_allowance(now_s)
            return
        if now_s >= self._deadline_s or not self._starvation.is_measured:
            self.pause(self._starvation.more_ms() / 1000)
        if now_s >= self._deadline_s and self._is_last_wall:
            self._starvation.check_all()
        if now_s >= self._deadline_s and self.program.exit(0) is not None:
            self._look_for_end(now_s, now_s)
        elif now_s >= self._deadline_s:
            waited_ms = (now_s - self._began_s) * 1000
            self._late(f"gave no answer within {waited_ms:.0f} ms of wall time", now_s)
        else:
            again_s = now_s + max(left_ms / limits.CORES, limits.CLOCK_LOOK_MS) / 1000
            self.look_again_s = min(self._deadline_s, again_s)

    def evidence(self) -> Evidence:
        """Return the evidence of the last exchange."""
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
        """End the bot; keep the last part of its log."""
        self.program.kill()
        self._drain_log()
        self.program.close()

    def _drain_log(self) -> None:
        while not self.log.flooded and (chunk := _read(self.program.stderr)):
            self.log.add(chunk)

    def _used_ms(self, now_s: float) -> float:
        if self._use_cpu_clock:
            return (self.program.cpu_ms() or 0.0) - self._cpu_charged_ms
        return (now_s - self._began_s) * 1000

    def _judge(self, chunk: bytes, now_s: float) -> None:
        """Check that the answer is one line of bounded length, after the request and not before."""
        if not self._asking:
            self._received = chunk
            self._fail(Fault.PROTOCOL_ERROR, faults.WROTE_EARLY, now_s)
            return
        self._received += chunk
        line, feed, rest = self._received.partition(b"\n")
        if self._unsent:
            message = "answered before it had read what it was asked"
            self._fail(Fault.PROTOCOL_ERROR, message, now_s)
        elif len(line) > LINE_CAP_BYTES or len(self._received) > LINE_CAP_BYTES + 1:
            self._fail(Fault.OUTPUT_LIMIT, faults.LINE_TOO_LONG, now_s)
        elif rest:
            self._fail(Fault.PROTOCOL_ERROR, faults.MORE_LINES, now_s)
        elif feed:
            self._settle(now_s)
            if self._charged_ms > self._ask.allowance_ms:
                self._over_allowance(now_s)
                return
            self._cpu_charged_ms += self._charged_ms
            self._wall_spent_ms += self._wall_ms
            self.outcome = Answer(line, self._charged_ms)

    def _settle(self, now_s: float) -> None:
        """Stop the clocks of the current ask, if there is one."""
        if self._asking:
            self._asking = False
            self._charged_ms = self._used_ms(now_s)
            self._wall_ms = (now_s - self._began_s) * 1000

    def _over_allowance(self, now_s: float) -> None:
        self._settle(now_s)
        basis = "CPU" if self._use_cpu_clock else "wall"
        message = faults.over_allowance(
            used_ms=self._charged_ms, basis=basis, allowance_ms=self._ask.allowance_ms
        )
        self._late(message, now_s)

    def _late(self, detail: str, now_s: float) -> None:
        fault = Fault.STARTUP_TIMEOUT if self._ask.starting else Fault.TIMEOUT
        self._fail(fault, detail, now_s)

    def _look_for_end(self, hung_up_s: float, now_s: float) -> None:
        """Determine why a bot's output ended, as soon as that is known."""
        self._end = end = self.program.exit(0)
        if end is None and (now_s - hung_up_s) * 1000 < limits.EXIT_WAIT_MS:
            self.look_again_s = now_s + limits.EXIT_LOOK_MS / 1000
            return
        self._drain_log()
        ready = isinstance(self.outcome, Answer) or not self._ask.starting
        when = faults.when(is_ready=ready)
        if end is None:
            self._fail(Fault.CRASH, f"{faults.CLOSED} {when}", now_s)
        elif end.out_of_memory or (
            # An interpreter reports it itself and exits, if only addresses are limited.
            end.status == 1 and MEMORY_ERROR in self.log.text()[-200:]
        ):
            words = Exit(end.status, end.signal, out_of_memory=True).in_words()
            self._fail(Fault.MEMORY_LIMIT, words, now_s)
        else:
            self._fail(Fault.CRASH, f"{end.in_words()} {when}", now_s)

    def _fail(self, fault: Fault, detail: str, now_s: float) -> None:
        if self._failure is not None:
            return
        self._settle(now_s)
        self._failure = self.outcome = Failure(fault, detail, self._charged_ms)
        self._unsent = b""
        self.program.kill()


def _read(descriptor: int) -> bytes | None:
    """Read once: return None if nothing is available, and no bytes at the end."""
    try:
        return os.read(descriptor, limits.READ_BYTES)
    except BlockingIOError:
        return None
