"""Bots without a container: plain processes with resource limits, or the same inside bubblewrap.

Neither level is safe for untrusted programs; `sandbox.levels.admission` refuses them.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.host.kit import copy_kit
from sandbox.host.seating import (
    BOT_FOLDER,
    BotPlace,
    BotProgram,
    bot_environment,
    place_bot,
)
from sandbox.host.uid_slots import Slot, take_slot
from sandbox.levels import filter as system_calls
from sandbox.levels.namespaces import namespaces
from sandbox.refusal import IsolationUnavailable
from sandbox.wire.program import Exit

LocalKind = Literal["bubblewrap", "process"]
PROCESS_TOOLS = ("prlimit", "setpriv")
SIGNALLED = 128  # bubblewrap reports a program killed by signal n as status 128 + n


class LocalProgram:
    """A bot as a child process, at the head of its own process group."""

    def __init__(
        self, process: subprocess.Popen[bytes], place: BotPlace, inside: int | None = None
    ) -> None:
        self._process = process
        self._place = place
        self._inside = inside  # pidfd of the first process in its namespaces, if any
        self._closed = False
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._pipes = [pipe for pipe in pipes if pipe is not None]
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in self._pipes)
        for pipe in self._pipes:
            os.set_blocking(pipe.fileno(), False)

    def cpu_ms(self) -> float | None:
        """Return None: a plain process can hide work in children that nobody counts."""
        return None

    def peak_memory_bytes(self) -> int | None:
        """Return None, for the same reason."""
        return None

    def cpu_waits(self) -> None:
        """Return None: only the wall clock is charged, and it includes all waits."""

    def exit(self, wait_ms: float) -> Exit | None:
        try:
            status = self._process.wait(wait_ms / 1000)
        except subprocess.TimeoutExpired:
            return None
        if status < 0:
            return Exit(None, signal=-status)
        if status > SIGNALLED:
            return Exit(None, signal=status - SIGNALLED)
        return Exit(status)

    def kill(self) -> None:
        # The group outlives its head, so this also kills what the bot started.
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        if self._inside is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._inside, signal.SIGKILL)

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self.kill()
        self._process.wait()
        for pipe in self._pipes:
            pipe.close()
        if self._inside is not None and not _over(self._inside):
            self._place.abandon()
            raise PlatformFault("a bot in bubblewrap was killed and is still there")
        self._place.clear()


def launch(kind: LocalKind, program: BotProgram, run_dir: Path) -> LocalProgram:
    """Start a bot in its own folder under `run_dir`; it dies with this process."""
    place = place_bot(program, run_dir, take_slot(run_dir))
    root = place.root
    try:
        copy_kit(root / "lib")
        (root / "tmp").mkdir()
        if kind == "bubblewrap":
            entry = f"{BOT_FOLDER}/{program.manifest.entry}"
            command = [*_identity_of(place.slot), *limited(), str(interpreter()), entry]
            process, inside = _start_inside(root, command)
            return LocalProgram(process, place, inside)
        env = bot_environment(home=str(root / "tmp"), library=str(root / "lib"))
        reaches = _open_to_all(root) and _open_to_all(interpreter().parent)
        user = _identity_of(place.slot) if reaches else []  # else it could not read its files
        if user:
            os.chown(root / "tmp", place.slot.uid, place.slot.uid)
        entry = str(place.bot / program.manifest.entry)
        command = [*user, *limited(), *if_parent_lives(), str(interpreter()), entry]
        return LocalProgram(_start(command, cwd=place.bot, env=env), place)
    except BaseException:
        place.clear()
        raise


def interpreter() -> Path:
    """Return the interpreter outside the virtual environment, whose libraries bots must not use."""
    return Path(sys.executable).resolve()


def identity(uid: int) -> list[str]:
    """Return a command prefix that changes to another user; empty without root, which it needs."""
    if os.geteuid() != 0:
        return []
    user = [f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
    return ["setpriv", *user, "--inh-caps=-all", "--bounding-set=-all"]


def _identity_of(slot: Slot) -> list[str]:
    """Return the prefix for the user of a slot. Without root no range of user ids is taken."""
    return identity(slot.uid) if os.geteuid() == 0 else []


def limited() -> list[str]:
    """Return a command prefix that sets limits, dies with its parent, and ignores setuid bits."""
    tasks = limits.TASKS + (0 if os.geteuid() == 0 else _own_tasks())
    caps = [f"--{limit.name}={limit.value}" for limit in limits.PROCESS_RLIMITS]
    caps.append(f"--nproc={tasks}")
    return ["setpriv", "--no-new-privs", "--pdeathsig", "KILL", "prlimit", *caps]


def if_parent_lives() -> list[str]:
    """Return a command prefix that runs the rest only while this process lives.

    It belongs after `--pdeathsig`: the kernel sends no signal for a parent that was already dead
    when the signal was asked for.
    """
    return ["sh", "-c", '[ "$PPID" = "$0" ] && exec "$@"', str(os.getpid())]


def end_left_over(slot: Slot) -> None:
    """Kill what a killed runner left under a slot, and wait for its end. Raise `PlatformFault`.

    Bubblewrap has two processes, and the inner one can outlive the outer one if that is killed
    before the inner one has asked to die with it. Both name the folder of the bot as an argument.
    """
    folder = slot.read_note().encode()
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(ProcessLookupError):
            process = os.pidfd_open(int(entry.name))
            if not _is_of_bot(entry, folder):
                os.close(process)
                continue
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(process, signal.SIGKILL)
            if not _over(process):
                raise PlatformFault(f"process {entry.name} of a dead runner cannot be ended")


def _is_of_bot(entry: Path, folder: bytes) -> bool:
    """Return whether a process names the folder of a bot and is bubblewrap or the bot.

    An operator's process may name the folder too, such as one that shows a file in it.
    """
    try:
        program, *rest = (entry / "cmdline").read_bytes().split(b"\0")
        is_bubblewrap = (entry / "comm").read_text() == "bwrap\n"
        has_id_of_bots = entry.stat().st_uid in limits.BOT_UIDS
    except OSError:  # gone meanwhile
        return False
    named = [word == folder or word.startswith(folder + b"/") for word in (program, *rest)]
    is_run = program == os.fsencode(interpreter()) and named[1:2] == [True]
    return any(named) and (is_bubblewrap or has_id_of_bots or is_run)


def require_process_tools() -> None:
    """Raise `IsolationUnavailable` if resource limits cannot be set."""
    missing = [tool for tool in PROCESS_TOOLS if shutil.which(tool) is None]
    if missing:
        raise IsolationUnavailable(f"process: {' and '.join(missing)} of util-linux not found")


def require_bubblewrap() -> None:
    """Raise `IsolationUnavailable` unless a test program starts inside bubblewrap."""
    require_process_tools()
    if shutil.which("bwrap") is None:
        raise IsolationUnavailable("bubblewrap: bwrap not found")
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("bot", "lib"):
            (root / name).mkdir()
        command = [*identity(limits.FIRST_UID - 1), *limited(), str(interpreter()), "-c", ""]
        tried, inside = _start_inside(root, command)
        _, complaint = tried.communicate(timeout=limits.BUBBLEWRAP_WAIT_S)
        if inside is not None:
            os.close(inside)
    if tried.returncode != 0:
        words = complaint.decode(errors="replace").strip().splitlines()
        raise IsolationUnavailable(
            f"bubblewrap: does not work here ({words[-1] if words else '?'})"
        )


def _start(
    command: Sequence[str], *, cwd: Path, env: Mapping[str, str], pass_fds: Sequence[int] = ()
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - `command` confines it
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=cwd,
        env=dict(env),
        start_new_session=True,
        pass_fds=pass_fds,
    )


def _start_inside(root: Path, command: Sequence[str]) -> tuple[subprocess.Popen[bytes], int | None]:
    """Start a program in bubblewrap; also return a pidfd of the first process inside.

    The pidfd becomes readable once everything inside is gone, which may be after the end of
    bubblewrap outside. It is None if nothing was started or everything has ended.
    """
    rules = system_calls.descriptor()
    read, write = os.pipe()
    with os.fdopen(read) as report:
        try:
            around = namespaces(root, rules=rules, report=write)
            bound = ["setpriv", "--pdeathsig", "KILL", *if_parent_lives()]
            process = _start([*bound, *around, *command], cwd=root, env={}, pass_fds=(rules, write))
        finally:
            os.close(rules)
            os.close(write)
        text = report.read()
    try:
        return process, os.pidfd_open(json.loads(text)["child-pid"]) if text else None
    except ProcessLookupError:
        return process, None


def _over(inside: int) -> bool:
    """Wait, with a limit, for the end of everything inside, and close the descriptor."""
    waiting = select.poll()
    waiting.register(inside, select.POLLIN)
    over = bool(waiting.poll(limits.REMOVE_WAIT_S * 1000))
    os.close(inside)
    return over


def _open_to_all(folder: Path) -> bool:
    """Return whether every user can reach the contents of a folder."""
    above = folder.resolve()
    return all(path.stat().st_mode & 0o001 for path in (above, *above.parents))


def _own_tasks() -> int:
    """Count the processes that this user already runs, because nproc counts them too."""
    own = os.getuid()
    count = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                count += entry.stat().st_uid == own
            except FileNotFoundError:
                continue
    return count
