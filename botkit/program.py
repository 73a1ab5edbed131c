"""A bot as a program on your own machine, asked line by line under the arena's limits.

It is not contained: this is for your own bots. Wall time stands in for the arena's CPU time.
"""

import os
import select
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from engine.protocol import LINE_CAP_BYTES, Answer, Ask, Failure, Fault

MIB = 1024 * 1024
MEMORY_BYTES = 256 * MIB  # what a bot may have in the arena
STDERR_MAX_BYTES = 800 * 1024  # likewise
TAIL_BYTES = 4096  # kept of stderr
READ_BYTES = 64 * 1024
LOOK_S = 0.05  # how often the clock is looked at
END_WAIT_S = 2.0  # for the exit status of a bot whose output has ended
MEMORY_ERROR = b"MemoryError"  # how an interpreter of Python ends that is out of memory


class NoProgram(Exception):
    """What was named cannot be started as a bot; the text says why and what to do."""


def command_of(given: Sequence[str]) -> list[str]:
    """Make a command of a file, of a bot's folder, or of the words of one. Raise NoProgram."""
    if len(given) > 1:
        return [*given]
    path = Path(given[0])
    if path.is_dir():
        path /= _entry(path)
    if not path.is_file():
        raise NoProgram(f"{path}: there is no such file")
    if path.suffix in RUN_BY:
        return [*RUN_BY[path.suffix], str(path.resolve())]
    if not os.access(path, os.X_OK):
        raise NoProgram(f"{path}: not a program; build or unpack it, or give the whole command")
    return [str(path.resolve())]


RUN_BY = {
    ".py": (sys.executable,),
    ".js": ("node",),
    ".mjs": ("node",),
    ".java": ("java",),
}


class LocalProgram:
    """A started bot. Leaving the context ends it."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start it. Raise NoProgram."""
        library = str(Path(__file__).resolve().parent.parent)
        path = os.pathsep.join(filter(None, (library, os.environ.get("PYTHONPATH"))))
        try:
            self._process = subprocess.Popen(  # noqa: S603 - what the user asked to run
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"},
            )
        except OSError as problem:
            raise NoProgram(f"{command[0]}: {problem.strerror}") from problem
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in pipes if pipe)
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        _limit_memory(self._process.pid)
        self._heard = [self._stdout, self._stderr]
        self._written_bytes = 0
        self._tail = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, ask: Ask) -> Answer | Failure:
        """Send a line and wait for one, as long as is allowed; stderr goes to ours meanwhile."""
        began_s = time.monotonic()
        if said := _read(self._stdout):
            return Failure(Fault.PROTOCOL_ERROR, f"wrote {said[:80]!r} before it was asked", 0.0)
        unsent, got = ask.line, b""
        while True:
            used_ms = (time.monotonic() - began_s) * 1000
            if used_ms > ask.allowance_ms:
                fault = Fault.STARTUP_TIMEOUT if ask.starting else Fault.TIMEOUT
                return Failure(fault, f"gave no answer within {ask.allowance_ms:.0f} ms", used_ms)
            self._wait(ask.allowance_ms - used_ms, sending=bool(unsent))
            unsent = self._send(unsent)
            self._hear()
            chunk = _read(self._stdout)
            got += chunk or b""
            outcome = self._judge(got, ended=chunk == b"")
            if outcome is not None:
                used_ms = (time.monotonic() - began_s) * 1000
                return _charged(outcome, used_ms)

    def _wait(self, at_most_ms: float, *, sending: bool) -> None:
        writers = [self._stdin] if sending else []
        select.select(self._heard, writers, [], min(at_most_ms / 1000, LOOK_S))

    def _send(self, unsent: bytes) -> bytes:
        try:
            return unsent[os.write(self._stdin, unsent) :] if unsent else b""
        except BlockingIOError:
            return unsent
        except BrokenPipeError:  # what it answers, or how it ended, will tell
            return b""

    def _hear(self) -> None:
        chunk = _read(self._stderr)
        if chunk == b"":
            self._heard = [self._stdout]
        chunk = chunk or b""
        self._written_bytes += len(chunk)
        self._tail = (self._tail + chunk)[-TAIL_BYTES:]
        sys.stderr.write(chunk.decode(errors="replace"))

    def _judge(self, got: bytes, *, ended: bool) -> bytes | Failure | None:
        """Return the line that came, or why none will, or None while it may."""
        line, feed, rest = got.partition(b"\n")
        if self._written_bytes > STDERR_MAX_BYTES:
            return Failure(Fault.OUTPUT_LIMIT, "wrote too much to stderr", 0.0)
        if len(line) > LINE_CAP_BYTES:
            return Failure(Fault.OUTPUT_LIMIT, f"answered with over {LINE_CAP_BYTES} bytes", 0.0)
        if rest:
            return Failure(Fault.PROTOCOL_ERROR, f"answered with a second line {rest[:80]!r}", 0.0)
        if feed:
            return line
        return self._end() if ended else None

    def _end(self) -> Failure:
        try:
            status = self._process.wait(END_WAIT_S)
        except subprocess.TimeoutExpired:
            return Failure(Fault.CRASH, "closed its stdout", 0.0)
        self._hear()
        if status == 1 and MEMORY_ERROR in self._tail[-200:]:
            return Failure(Fault.MEMORY_LIMIT, f"needed more than {MEMORY_BYTES // MIB} MiB", 0.0)
        if status < 0:
            return Failure(Fault.CRASH, f"was ended by signal {-status}", 0.0)
        return Failure(Fault.CRASH, f"ended with exit status {status}", 0.0)


def _charged(outcome: bytes | Failure, used_ms: float) -> Answer | Failure:
    if isinstance(outcome, Failure):
        return Failure(outcome.fault, outcome.detail, used_ms)
    return Answer(outcome, used_ms)


def _read(descriptor: int) -> bytes | None:
    """Read once: None while nothing is there, nothing at the end."""
    try:
        return os.read(descriptor, READ_BYTES)
    except BlockingIOError:
        return None


def _limit_memory(pid: int) -> None:
    """Hold a process to the arena's memory, where the system can: Linux."""
    if sys.platform == "linux":
        import resource  # noqa: PLC0415 - there is none on Windows

        resource.prlimit(pid, resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))


def _entry(folder: Path) -> str:
    manifest = folder / "drapeau.toml"
    if not manifest.is_file():
        return "bot.py"
    try:
        return str(tomllib.loads(manifest.read_text())["bot"].get("entry", "bot.py"))
    except (ValueError, KeyError, AttributeError) as problem:
        raise NoProgram(f"{manifest}: not the manifest of a bot: {problem}") from problem
