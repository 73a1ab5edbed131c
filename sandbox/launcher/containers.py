"""Waiting containers: started and connected, but without a bot until an order arrives.

The container's first process, arena_init, calls back over a socket that exists only for this call.
It sends the counters of the container's control group, receives the command and the pipes, starts
the bot, and kills everything when the socket closes.
"""

import os
import select
import socket
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.host.seating import BotPlace, make_place, place_files
from sandbox.host.uid_slots import take_slot
from sandbox.launcher import container_options, docker_engine, host_counters
from sandbox.launcher.docker_engine import Engine
from sandbox.launcher.oci_runtime import remedy
from sandbox.launcher.order import Order, Purpose

MESSAGE_BYTES = 64
COUNTERS = 3


@dataclass(slots=True)
class Container:
    """A started container. Closing its control socket, its life line, ends everything inside."""

    id: str
    image: str
    place: BotPlace
    control: socket.socket
    counters: tuple[int, ...]
    since_s: float = field(default_factory=time.monotonic)

    def waits(self) -> bool:
        """Return whether arena_init still waits for an order."""
        hung_up = select.poll()
        hung_up.register(self.control, select.POLLIN)
        young = time.monotonic() - self.since_s < limits.ORDER_WAIT_S / 2
        return young and not hung_up.poll(0)

    def give(self, order: Order, command: list[str]) -> tuple[int, int, int]:
        """Start the bot with its command; return this side's ends of stdin, stdout and stderr.

        Raise `PlatformFault`; then the caller must drop the container.
        """
        try:
            place_files(order.files, self.place.bot)
            # A compiled program is executed directly from its file.
            (self.place.bot / order.entry).chmod(0o755)
            return _send_order(self.control, command)
        except OSError as error:
            raise PlatformFault(f"a container did not take its order: {error}") from error

    def drop(self) -> None:
        """Cut the life line of a container that never got its order, or whose order failed."""
        self.control.close()
        for descriptor in self.counters:
            os.close(descriptor)
        self.counters = ()


def start(
    engine: Engine, run_dir: Path, *, image: str, purpose: Purpose, oci_runtime: str
) -> Container:
    """Start a container that waits for its order. Raise `PlatformFault`, leaving nothing behind."""
    try:
        place = make_place(run_dir, take_slot(run_dir))
    except OSError as error:
        raise PlatformFault(f"a bot could not be given a folder: {error}") from error
    with ExitStack() as undo:
        undo.callback(_give_up, engine, run_dir, place)
        try:
            with _listening(place.arena) as listener:
                options = container_options.container(
                    place, image=image, purpose=purpose, oci_runtime=oci_runtime
                )
                container_id = docker_engine.start(engine, options, remedy(oci_runtime))
                control, counters = _called_back(listener)
            (place.arena / "control").unlink()
        except OSError as error:
            raise PlatformFault(
                f"a container was started and did not call back: {error}{remedy(oci_runtime)}"
            ) from error
        undo.pop_all()
    if not counters:
        counters = host_counters.find(container_id)
    return Container(container_id, image, place, control, counters)


def clear(engine: Engine, container: Container) -> None:
    """Wait for the end of a container whose life line was cut, and release its place.

    Raise `PlatformFault` if it may still exist; then nothing is released.
    """
    docker_engine.wait_until_gone(engine, container.id)
    container.place.clear()


def _give_up(engine: Engine, run_dir: Path, place: BotPlace) -> None:
    """Clear what the engine created for a bot that did not start, or leave it to `reap`."""
    try:
        docker_engine.remove_all(engine, run_dir, place.slot.number)
    except PlatformFault:
        place.abandon()
    else:
        place.clear()


def _listening(folder: Path) -> socket.socket:
    """Listen for the call of arena_init. Only one container can reach the folder."""
    folder.mkdir()
    folder.chmod(0o755)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    handle = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    try:
        # A socket path has at most 107 bytes; this short one leads to a folder with any path.
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


def _called_back(listener: socket.socket) -> tuple[socket.socket, tuple[int, ...]]:
    """Receive the connection and the counters that arena_init opened; empty if it found none."""
    control, _ = listener.accept()
    with ExitStack() as undo:
        undo.callback(control.close)
        control.settimeout(limits.LAUNCH_WAIT_S)
        flags = socket.MSG_CMSG_CLOEXEC
        hello, counters, _, _ = socket.recv_fds(control, MESSAGE_BYTES, COUNTERS, flags)
        if not hello:
            raise ConnectionResetError("it hung up")
        undo.pop_all()
    if len(counters) == COUNTERS:
        return control, tuple(counters)
    for descriptor in counters:
        os.close(descriptor)
    return control, ()


def _send_order(control: socket.socket, command: list[str]) -> tuple[int, int, int]:
    with ExitStack() as undo:
        (stdin, our_stdin), (our_stdout, stdout), (our_stderr, stderr) = (
            _pipe(undo) for _ in range(3)
        )
        words = [argument.encode() + b"\0" for argument in command]
        socket.send_fds(control, words, [stdin, stdout, stderr])
        undo.pop_all()
    for descriptor in (stdin, stdout, stderr):
        os.close(descriptor)
    for descriptor in (our_stdin, our_stdout, our_stderr):
        os.set_blocking(descriptor, False)
    return our_stdin, our_stdout, our_stderr


def _pipe(undo: ExitStack) -> tuple[int, int]:
    pipe = os.pipe2(os.O_CLOEXEC)
    for end in pipe:
        undo.callback(os.close, end)
    return pipe
