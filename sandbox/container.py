"""A bot in a container: how it gets its three pipes, and how it ends.

The container's first process, arena_init, calls back over a socket that is there for this one call.
It brings the container's counters, takes the command and the pipes, starts the bot, and kills
everything when the socket closes.
"""

import os
import select
import socket
from contextlib import ExitStack
from pathlib import Path

from engine.protocol import PlatformFault
from sandbox import docker_engine, limits
from sandbox.cgroup import Meter
from sandbox.docker_engine import Engine
from sandbox.program import Exit
from sandbox.seating import (
    LIBRARY_FOLDER,
    SCRATCH_FOLDER,
    BotPlace,
    BotProgram,
    bot_environment,
    place_bot,
)
from sandbox.slots import take_slot

PYTHON = "/usr/bin/python3"
MESSAGE_BYTES = 64
COUNTERS = 3


class ContainerProgram:
    """A running container. Its control socket is its life line."""

    def __init__(self, engine: Engine, container_id: str, place: BotPlace) -> None:
        self._engine = engine
        self._id = container_id
        self._place = place
        self._control: socket.socket | None = None
        self._meter: Meter | None = None
        self._end: Exit | None = None
        self._closed = False
        self.stdin = self.stdout = self.stderr = -1

    def connect(self, listener: socket.socket, command: list[str]) -> None:
        """Wait for the call of arena_init and give its order. Raises `PlatformFault`."""
        try:
            self._control, _ = listener.accept()
            self._control.settimeout(limits.LAUNCH_WAIT_S)
            self._meter = _receive_meter(self._control)
            self._send_order(self._control, command)
            started = self._control.recv(MESSAGE_BYTES).decode()
        except OSError as error:
            raise PlatformFault(
                f"a container was started and did not call back: {error}"
            ) from error
        if started != "start":
            raise PlatformFault(f"the runtime image cannot run a bot: {PYTHON}: {started}")

    def _send_order(self, control: socket.socket, command: list[str]) -> None:
        stdin, self.stdin = os.pipe2(os.O_CLOEXEC)
        self.stdout, stdout = os.pipe2(os.O_CLOEXEC)
        self.stderr, stderr = os.pipe2(os.O_CLOEXEC)
        theirs = [stdin, stdout, stderr]
        try:
            socket.send_fds(control, [argument.encode() + b"\0" for argument in command], theirs)
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)

    def cpu_ms(self) -> float | None:
        return None if self._meter is None else self._meter.cpu_ms()

    def peak_memory_bytes(self) -> int | None:
        return None  # arena_init does not pass that counter out yet

    def exit(self, wait_ms: float) -> Exit | None:
        if self._end is None and self._control is not None:
            ready = select.poll()
            ready.register(self._control, select.POLLIN)
            if ready.poll(wait_ms):
                self._end = self._read_report(self._control)
        return self._end

    def kill(self) -> None:
        # Hanging up is the kill; the descriptor itself lives until close().
        if self._control is not None:
            try:
                self._control.shutdown(socket.SHUT_RDWR)
            except OSError:  # arena_init hung up first: the container is gone already
                return

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._meter is not None:
            self._meter.cpu_ms()
            self._meter.close()
            self._meter = None
        self.kill()
        if self._control is not None:
            self._control.close()
        for descriptor in (self.stdin, self.stdout, self.stderr):
            if descriptor >= 0:
                os.close(descriptor)
        try:
            docker_engine.wait_until_gone(self._engine, self._id)
        except PlatformFault:
            self._place.abandon()
            raise
        self._place.clear()

    def _read_report(self, control: socket.socket) -> Exit:
        try:
            report = control.recv(MESSAGE_BYTES).decode()
        except OSError:
            report = ""
        oom = self._meter is not None and self._meter.oom_kills() > 0
        if not report and not oom:
            # No bot can end arena_init; an engine that restarts or an operator can.
            raise PlatformFault("a container was ended from outside during the game")
        what, _, number = (report or "signal 9").partition(" ")
        if what == "signal":
            return Exit(None, signal=int(number), out_of_memory=oom)
        return Exit(int(number), out_of_memory=oom and int(number) != 0)


def launch(
    engine: Engine, program: BotProgram, *, image: str, run_dir: Path, seat: str
) -> ContainerProgram:
    """Start a bot in a container of its own, or raise `PlatformFault` and leave nothing behind."""
    try:
        place = place_bot(program, run_dir, take_slot(run_dir))
    except OSError as error:
        raise PlatformFault(f"the bot at {seat} could not be given a folder: {error}") from error
    environment = bot_environment(home=SCRATCH_FOLDER, library=LIBRARY_FOLDER)
    where = docker_engine.Place(place.bot, place.root / "arena", run_dir, place.slot.number, seat)
    with ExitStack() as undo:
        undo.callback(_give_up, engine, run_dir, place)
        with _listening(where.arena) as listener:
            container_id = docker_engine.start_container(engine, where, image, environment)
            running = ContainerProgram(engine, container_id, place)
            undo.pop_all()
            undo.callback(running.close)
            running.connect(listener, [PYTHON, f"/bot/{program.manifest.entry}"])
        (where.arena / "control").unlink()
        undo.pop_all()
    return running


def _give_up(engine: Engine, run_dir: Path, place: BotPlace) -> None:
    """Clear what the engine made for a bot that did not start, or leave it to `reap`."""
    try:
        docker_engine.remove_all(engine, run_dir, place.slot.number)
    except PlatformFault:
        place.abandon()
    else:
        place.clear()


def _listening(folder: Path) -> socket.socket:
    """Listen where arena_init will call. Only one container can get at the folder."""
    folder.mkdir()
    folder.chmod(0o755)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    handle = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    try:
        # A socket's name has 107 bytes at most; this short one leads to a folder of any length.
        listener.bind(f"/proc/self/fd/{handle}/control")
    except OSError:
        listener.close()
        raise
    finally:
        os.close(handle)
    (folder / "control").chmod(0o666)
    listener.listen(1)
    listener.settimeout(limits.LAUNCH_WAIT_S)
    return listener


def _receive_meter(control: socket.socket) -> Meter | None:
    """Take the counters that arena_init opened; None where its host keeps none."""
    flags = socket.MSG_CMSG_CLOEXEC
    hello, counters, _, _ = socket.recv_fds(control, MESSAGE_BYTES, COUNTERS, flags)
    if not hello:
        raise ConnectionResetError("it hung up")
    return Meter(*counters) if len(counters) == COUNTERS else None
