"""Bots as programs on your own machine, asked line by line under `limits_at_home`.

They are not contained: this is for your own bots. Wall time stands in for the arena's CPU time.
"""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

from botkit import processes
from botkit.home import NoBot
from engine import faults
from engine.errors import quoted
from engine.protocol import LINE_CAP_BYTES, Answer, Ask, Failure, Fault

MIB = 1024 * 1024
MEMORY_BYTES = 256 * MIB  # what a bot may have in the arena
STDERR_MAX_BYTES = 800 * 1024  # likewise
TAIL_BYTES = 4096  # kept of stderr
READ_BYTES = 64 * 1024
END_WAIT_S = 2.0  # for the exit status of a bot whose output has ended
MEMORY_ERROR = b"MemoryError"  # how an interpreter of Python ends that is out of memory
LOOK_S = 0.05  # how often a bot's memory is added up, and whether it runs is looked at
END_READ_S = 2.0  # for a bot to read how the game ended and to exit, as in the arena
EXIT_LOOK_MS = 5  # how often its exit is looked for meanwhile
NOTHING_ASKED = Ask(b"", 0.0, starting=True)


class LocalProgram:
    """A started bot. Leaving the context ends it and everything that it started.

    A bot that was told something at last has `END_READ_S` to read it and to exit.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path | None = None,
        log: Callable[[bytes], object] | None = None,
        is_limited: bool = True,
    ) -> None:
        """Start a command in a folder, by default this one. Raise NoBot.

        `log` is called with each piece of its stderr, which otherwise goes to ours. Unless it
        `is_limited`, it may have any memory, and write as much to stderr as it likes.
        """
        library = str(Path(__file__).resolve().parent.parent)
        path = os.pathsep.join(filter(None, (library, os.environ.get("PYTHONPATH"))))
        try:
            self._process = subprocess.Popen(  # noqa: S603 - what the user asked to run
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"},
                process_group=0,  # so that Ctrl-C reaches us alone, and we end all of it
            )
        except OSError as problem:
            raise NoBot(f"{command[0]}: {problem.strerror}") from problem
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in pipes if pipe)
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self.watched = {self.stdout: select.POLLIN, self.stderr: select.POLLIN}
        self.outcome: Answer | Failure | None = None  # of the current ask
        self._log, self._is_limited = log or _to_our_stderr, is_limited
        self._ask, self._began_s = NOTHING_ASKED, 0.0
        self._unsent = self._got = self._tail = b""
        self._written_bytes = 0
        self._was_told = False
        self._look_s = 0.0  # when it is due

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None and self._was_told:
            # Its log is read meanwhile, so that a long one does not keep it waiting.
            until_s, poll = monotonic() + END_READ_S, select.poll()
            for descriptor in {self.stdout, self.stderr} & self.watched.keys():
                poll.register(descriptor, select.POLLIN)
            if self._unsent:
                poll.register(self.stdin, select.POLLOUT)
            else:
                self._close_input()
            while self._process.poll() is None and monotonic() < until_s:
                for descriptor, _ in poll.poll(EXIT_LOOK_MS):
                    if not self._serve_end(descriptor):
                        poll.unregister(descriptor)
        self.kill()
        self._process.wait()
        while self.stderr in self.watched and self._hear():
            pass
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()

    def ask(self, ask: Ask) -> Answer | Failure:
        """Send a line and wait for one, as long as is allowed."""
        return ask_together({self: ask})[self]

    def tell(self, line: bytes) -> None:
        """Send a line that needs no answer, as far as the pipe accepts it."""
        if not isinstance(self.outcome, Failure):
            self._unsent += line
            self._send()
            self._was_told = True

    def begin(self, ask: Ask) -> None:
        """Send a line and start the clock. A bot that has failed is not asked again."""
        if isinstance(self.outcome, Failure):
            return
        self._ask, self._began_s = ask, monotonic()
        self.outcome, self._got = None, b""
        if chunk := _read(self.stdout):
            self._quote(chunk)
            self._fail(Fault.PROTOCOL_ERROR, faults.WROTE_EARLY)
            return
        self._unsent += ask.line
        self._send()

    def serve(self, descriptor: int) -> None:
        """Write or read what a pipe that is ready takes or has."""
        if descriptor == self.stdin:
            self._send()
        elif descriptor == self.stdout:
            self._take()
        else:
            self._hear()

    def left_ms(self) -> float:
        """Return the wall time that is left for the answer."""
        return self._ask.allowance_ms - self._used_ms()

    def look(self) -> None:
        """Fail a bot whose time is over, that holds too much memory, or that has ended."""
        if monotonic() >= self._look_s and not isinstance(self.outcome, Failure):
            self._look_s = monotonic() + LOOK_S
            self._check_memory(processes.held_bytes(self._process.pid))
            if self.outcome is None and self._process.poll() is not None:
                self._take()  # what it started may keep its output open
                if self.outcome is None:
                    self._end()
        if self.outcome is None and self.left_ms() < 0:
            fault = Fault.STARTUP_TIMEOUT if self._ask.starting else Fault.TIMEOUT
            message = faults.over_allowance(
                used_ms=self._used_ms(), basis="wall", allowance_ms=self._ask.allowance_ms
            )
            self._fail(fault, message)

    def _used_ms(self) -> float:
        return (monotonic() - self._began_s) * 1000

    def _send(self) -> None:
        try:
            if self._unsent:
                self._unsent = self._unsent[os.write(self.stdin, self._unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # what it answers, or how it ended, will tell
            self._unsent = b""
        if self._unsent:
            self.watched[self.stdin] = select.POLLOUT
        else:
            self.watched.pop(self.stdin, None)

    def _take(self) -> None:
        """Read once, and judge what has come so far: a line, a fault, or a part of a line."""
        chunk = _read(self.stdout)
        if chunk is None:
            return
        self._got += chunk
        line, feed, rest = self._got.partition(b"\n")
        if len(line) > LINE_CAP_BYTES:
            self._fail(Fault.OUTPUT_LIMIT, faults.LINE_TOO_LONG)
        elif rest:
            self._quote(self._got)
            self._fail(Fault.PROTOCOL_ERROR, faults.MORE_LINES)
        elif feed:
            self._check_memory(processes.peak_bytes(self._process.pid))
            self.outcome = self.outcome or Answer(line, self._used_ms())
        elif not chunk:
            self._end()

    def note(self, text: str) -> None:
        """Put a line into its log that it did not write."""
        self._log(f"[referee] {text}\n".encode())

    def _quote(self, written: bytes) -> None:
        self.note(f"it wrote {quoted(written.decode(errors='replace'))}")

    def _hear(self) -> bool:
        """Read its log once; return whether there may be more."""
        chunk = _read(self.stderr)
        if not chunk:
            if chunk is not None:
                self.watched.pop(self.stderr, None)
            return False
        self._written_bytes += len(chunk)
        self._tail = (self._tail + chunk)[-TAIL_BYTES:]
        self._log(chunk)
        if self._is_limited and self._written_bytes > STDERR_MAX_BYTES:
            self._fail(Fault.OUTPUT_LIMIT, faults.too_much_stderr(STDERR_MAX_BYTES))
            return False
        return True

    def _end(self) -> None:
        """Set the outcome to the reason why the output has ended."""
        when = faults.when(is_ready=not self._ask.starting)
        try:
            status = self._process.wait(END_WAIT_S)
        except subprocess.TimeoutExpired:
            self._fail(Fault.CRASH, f"{faults.CLOSED} {when}")
            return
        while self.stderr in self.watched and self._hear():
            pass
        if status == 1 and MEMORY_ERROR in self._tail[-200:]:
            self._fail(Fault.MEMORY_LIMIT, faults.OUT_OF_MEMORY)
        else:
            ended = faults.ended(status=status, signal=-status if status < 0 else None)
            self._fail(Fault.CRASH, f"{ended} {when}")

    def _check_memory(self, held_bytes: int) -> None:
        if self._is_limited and held_bytes > MEMORY_BYTES:
            self._fail(Fault.MEMORY_LIMIT, faults.OUT_OF_MEMORY)

    def _serve_end(self, descriptor: int) -> bool:
        """Write or read after the game; return whether the pipe takes or has more."""
        if descriptor == self.stdout:
            return _read(descriptor) != b""
        if descriptor == self.stderr:
            self._hear()
            return self.stderr in self.watched
        self._send()
        if not self._unsent:
            self._close_input()
        return bool(self._unsent)

    def _close_input(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()

    def _fail(self, fault: Fault, detail: str) -> None:
        if not isinstance(self.outcome, Failure):
            self.outcome = Failure(fault, detail, self._used_ms())
            self.kill()

    def kill(self) -> None:
        """End it at once, with everything that it started; safe from any thread."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # it has ended; on macOS it is the second
            return


def ask_together(
    asks: Mapping[LocalProgram, Ask], *, beside: Iterable[LocalProgram] = ()
) -> dict[LocalProgram, Answer | Failure]:
    """Ask several bots at once, and wait until each has answered or failed.

    Meanwhile the memory of those `beside` them is looked at too.
    """
    seated = {*asks, *beside}
    for program, ask in asks.items():
        program.begin(ask)
    while waiting := [program for program in asks if program.outcome is None]:
        poll = select.poll()
        owners = {}
        for program in waiting:
            for descriptor, events in program.watched.items():
                poll.register(descriptor, events)
                owners[descriptor] = program
        left_ms = min(program.left_ms() for program in waiting)
        for descriptor, _ in poll.poll(min(max(0.0, left_ms) + 1, LOOK_S * 1000)):
            owners[descriptor].serve(descriptor)
        for program in seated:
            program.look()
    return {program: program.outcome for program in asks if program.outcome is not None}


def limits_at_home() -> dict[str, int]:
    """Return what is enforced on a bot on this machine, in bytes, by the names of the protocol."""
    limits = {"line_bytes": LINE_CAP_BYTES, "stderr_bytes": STDERR_MAX_BYTES}
    if sys.platform == "linux":
        limits["memory_bytes"] = MEMORY_BYTES
    return limits


class LocalTable:
    """The seats of local programs, an `engine.protocol.Table`. Their owner ends them."""

    clock_basis = "wall"

    def __init__(self, programs: Mapping[str, LocalProgram]) -> None:
        self._programs = programs

    def ask(self, asks: Mapping[str, Ask]) -> dict[str, Answer | Failure]:
        """Ask seats at once."""
        asked = {self._programs[seat]: ask for seat, ask in asks.items()}
        outcomes = ask_together(asked, beside=self._programs.values())
        return {seat: outcomes[self._programs[seat]] for seat in asks}

    def limits(self, _seat: str) -> Mapping[str, int]:
        """Return what is enforced on a bot here."""
        return limits_at_home()

    def note(self, seat: str, text: str) -> None:
        """Put a line of the referee's into the log of a bot."""
        self._programs[seat].note(text)

    def tell(self, seat: str, line: bytes) -> None:
        """Send a line that needs no answer."""
        self._programs[seat].tell(line)

    def close(self) -> None:
        """Do nothing: who started the programs ends them."""


def _read(descriptor: int) -> bytes | None:
    """Read once: None while nothing is there, nothing at the end."""
    try:
        return os.read(descriptor, READ_BYTES)
    except BlockingIOError:
        return None


def _to_our_stderr(chunk: bytes) -> None:
    sys.stderr.write(chunk.decode(errors="replace"))
