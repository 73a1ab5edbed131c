"""arena_init as it runs in a container: process 1 of a PID namespace, made here by bubblewrap."""

import os
import select
import socket
import subprocess
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from sandbox import limits
from sandbox.levels import local, namespaces
from sandbox.levels.filter import SOURCES

C_SOURCES = Path(__file__).parent
OK, BAD_USAGE, NO_CONTROL, BAD_ORDER, NO_ORDER, TOO_OLD = 0, 64, 65, 66, 68, 69
SH = ("/bin/sh", "-c")
UID = limits.FIRST_UID + limits.SLOTS + 1
WAIT_S = 20
STATIC = ("-static",)
SANITIZED = (
    *("-g", "-fno-omit-frame-pointer"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
)
# Leaks are found by tracing, which the filter refuses; arena_init takes no memory that could leak.
COMPLAINTS = "log_path=/reports/report:exitcode=99:detect_leaks=0"
VALGRIND = (
    *("valgrind", "-q", "--leak-check=no", "--vgdb=no"),
    *("--error-exitcode=99", "--log-file=/reports/report.%p"),
)


def compile_init(program: Path, *options: str) -> None:
    """Compile arena_init as the images do, with further options. Fails on any warning."""
    compile_c(program, SOURCES / "arena_init.c", SOURCES / "filter.c", options=options)


def compile_c(program: Path, *sources: Path, options: tuple[str, ...] = STATIC) -> None:
    """Compile with the flags of the images. Fails on any warning."""
    flags = [f"@{SOURCES / 'gcc.flags'}", f"-I{SOURCES}", *options]
    done = subprocess.run(
        ["gcc", *flags, "-o", program, *sources], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@dataclass(frozen=True)
class Place:
    """The folders that arena_init sees: its programs, its socket, and where complaints go."""

    programs: Path
    root: Path

    def __post_init__(self) -> None:
        for name, mode in (("arena", 0o755), ("reports", 0o777), ("cgroup", 0o755)):
            (self.root / name).mkdir()
            (self.root / name).chmod(mode)

    def complaints(self) -> str:
        """Read what sanitizers and valgrind had to say, of arena_init and of what it started."""
        return "".join(each.read_text() for each in (self.root / "reports").iterdir())

    def command(self, program: str, under: tuple[str, ...]) -> list[str]:
        """Return how to run one of the programs as process 1, under another one if need be."""
        command = ["bwrap", "--as-pid-1", "--die-with-parent", *namespaces.unshared()]
        command += [*namespaces.system(), "--proc", "/proc", "--dev", "/dev"]
        command += ["--perms", "1777", "--tmpfs", "/tmp"]
        command += ["--ro-bind", str(self.programs), "/programs"]
        command += namespaces.open_folders(Path("/sys/fs"))
        command += ["--ro-bind", str(self.root / "cgroup"), "/sys/fs/cgroup"]
        command += ["--bind", str(self.root / "arena"), "/arena"]
        command += ["--bind", str(self.root / "reports"), "/reports", "--remount-ro", "/"]
        command += ["--clearenv", "--setenv", "PATH", "/usr/bin:/bin"]
        command += ["--setenv", "ASAN_OPTIONS", COMPLAINTS, "--setenv", "UBSAN_OPTIONS", COMPLAINTS]
        command += ["--", *local.identity(UID), "prlimit", f"--nofile={limits.OPEN_FILES}"]
        return [*command, *under, f"/programs/{program}"]


class FirstProcess:
    """A started arena_init, and our end of all that it was given."""

    def __init__(
        self,
        place: Place,
        *arguments: str,
        program: str = "arena-init",
        under: tuple[str, ...] = (),
        inherited: tuple[int, ...] = (),
    ) -> None:
        self._place = place
        self._open = ExitStack()
        self._listener = self._open.enter_context(listening(place.root / "arena"))
        self.process = subprocess.Popen(
            [*place.command(program, under), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=inherited,
        )
        self._open.enter_context(self.process)
        self._open.callback(self.process.kill)

    def answer(self) -> None:
        """Take its call, and the counters it brings."""
        self.control, _ = self._listener.accept()
        (self._place.root / "arena" / "control").unlink()
        self._open.callback(self.control.close)
        self.control.settimeout(WAIT_S)
        self.hello, counters, _, _ = socket.recv_fds(self.control, 64, 8)
        self.counters = [self._open.enter_context(os.fdopen(each)) for each in counters]

    def pipes(self) -> list[int]:
        """Make pipes for a bot. Return its ends; ours become `stdin`, `stdout` and `stderr`."""
        theirs: list[int] = []
        for name in ("stdin", "stdout", "stderr"):
            reads, writes = os.pipe()
            ours = writes if name == "stdin" else reads
            theirs.append(reads if name == "stdin" else writes)
            mode = "w" if name == "stdin" else "r"
            setattr(self, name, self._open.enter_context(os.fdopen(ours, mode, buffering=1)))
        return theirs

    def order(self, *arguments: str) -> None:
        theirs = self.pipes()
        text = b"".join(each.encode() + b"\0" for each in arguments)
        socket.send_fds(self.control, [text], theirs)
        for each in theirs:
            os.close(each)

    def report(self) -> str:
        """Return its next report; empty once it has hung up."""
        return self.control.recv(4096).decode()

    def waits(self) -> dict[int, int]:
        """Ask how long its tasks waited for the CPU; return milliseconds by task."""
        self.control.send(b"?")
        kind, *entries = self.report().split()
        assert kind == "waits"
        return {int(task): int(ms) for task, ms in (each.split(":") for each in entries)}

    def says_more(self, within_s: float) -> bool:
        return bool(select.select([self.control], [], [], within_s)[0])

    def hang_up(self) -> int:
        """Hang up, and give the status with which it ends then."""
        self.control.close()
        return self.status()

    def status(self) -> int:
        """Wait for its end and give its exit status; nobody may have complained of anything."""
        status = self.process.wait(WAIT_S)
        assert self.process.stdout is not None
        said = self.process.stdout.read().decode() + self._place.complaints()
        assert said == "", said
        return status

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()


def listening(folder: Path) -> socket.socket:
    """Listen where arena_init will call."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    handle = os.open(folder, os.O_PATH)
    listener.bind(f"/proc/self/fd/{handle}/control")  # a short name for a path of any length
    os.close(handle)
    (folder / "control").chmod(0o666)
    listener.listen(1)
    listener.settimeout(WAIT_S)
    return listener
