"""The launcher as a service: `python -m sandbox launcher`, behind a unix socket.

A connection is the lease of one container. The service hands the container's life line to the
caller and keeps no copy, so a caller that dies takes its bots with it, and games continue when this
service dies.
"""

import fcntl
import logging
import os
import select
import signal
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal, get_args

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.launcher import wire
from sandbox.launcher.containers import Container
from sandbox.launcher.embedded import Embedded
from sandbox.launcher.order import Order
from sandbox.refusal import IsolationUnavailable

logger = logging.getLogger(__name__)

SOCKET_MODE = 0o660
CREDENTIALS = struct.Struct("3i")  # process, user, group
Counted = Literal["started", "failed", "refused"]
READABLE = select.EPOLLIN | select.EPOLLRDHUP


def serve(path: Path, launcher: Embedded) -> None:
    """Serve until SIGTERM or SIGINT. Raise `IsolationUnavailable` if another one serves here."""
    with closing(launcher), _listening(path) as listener, _stopping() as stop:
        launcher.reap()
        _Service(listener, stop, launcher).run()


class _Service:
    """The connections: each waits to be readable, then is a lease until the client hangs up."""

    def __init__(self, listener: socket.socket, stop: int, launcher: Embedded) -> None:
        self._listener = listener
        self._stop = stop
        self._launcher = launcher
        self._poll = select.epoll()
        self._connections: dict[int, socket.socket] = {}
        self._leases: dict[int, Container] = {}
        self._lock = threading.Lock()
        self._counts: Counter[Counted] = Counter()

    def run(self) -> None:
        """Serve until `stop` is readable."""
        self._poll.register(self._listener, select.EPOLLIN)
        self._poll.register(self._stop, select.EPOLLIN)
        with self._poll, ThreadPoolExecutor(limits.LAUNCHER_STARTS) as starters:
            while self._stop not in (ready := dict(self._poll.poll())):
                for descriptor in ready:
                    if descriptor == self._listener.fileno():
                        self._accept()
                    elif descriptor in self._leases:
                        # Its holder hung up or died, which ended the bot.
                        self._poll.unregister(descriptor)
                        container = self._leases.pop(descriptor)
                        self._hang_up(descriptor)
                        self._launcher.give_back(container)
                    else:
                        self._poll.unregister(descriptor)
                        starters.submit(self._answer, descriptor)
        # Running games are left alone; the next launcher clears up after them.
        for container in self._leases.values():
            container.place.abandon()
        for connection in self._connections.values():
            connection.close()

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError as error:
            logger.warning("a caller was not let in: %s", error)
            time.sleep(limits.LAUNCHER_PAUSE_S)  # the caller still waits, and this loop would spin
            return
        _, user, _ = CREDENTIALS.unpack(
            connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
        )
        if user not in (0, os.geteuid()):
            logger.warning("user %d is not served", user)
            self._count("refused")
            connection.close()
        elif len(self._connections) >= limits.LAUNCHER_CONNECTIONS:
            logger.warning("all %d connections are taken", limits.LAUNCHER_CONNECTIONS)
            self._count("refused")
            connection.close()
        else:
            connection.settimeout(limits.LAUNCHER_WAIT_S)
            self._connections[connection.fileno()] = connection
            self._poll.register(connection, READABLE)

    def _answer(self, descriptor: int) -> None:
        """Serve the one request of a connection. Only a lease stays open afterwards."""
        connection = self._connections[descriptor]
        leased = False
        try:
            request = wire.receive_request(connection)
            if isinstance(request, Order):
                leased = self._launch(connection, request)
            elif request is not None:
                wire.send_reply(connection, self._told(request))
        except wire.BadRequest as why:
            logger.warning("a request was refused: %s", why)
            self._count("refused")
            with suppress(OSError):
                wire.send_reply(connection, wire.Reply("fault", reason=f"refused: {why}"))
        except OSError as error:
            logger.warning("a caller went away: %s", error)
        except Exception:
            logger.exception("a request could not be served")
        finally:
            if not leased:
                self._hang_up(descriptor)

    def _launch(self, connection: socket.socket, order: Order) -> bool:
        """Start the ordered container and hand it over; return whether that succeeded."""
        try:
            container, pipes = self._launcher.start(order)
        except PlatformFault as why:
            logger.warning("a container could not be started: %s", why)
            self._count("failed")
            wire.send_reply(connection, wire.Reply("fault", reason=str(why)))
            return False
        slot = container.place.slot
        handed = (*pipes, container.control.fileno(), slot.lock, slot.uids.lock)
        try:
            descriptors = (*handed, *container.counters)
            reply = wire.Reply(
                "launched",
                container=container.id,
                descriptors=descriptors,
                oci_runtime=self._launcher.oci_runtime,
            )
            wire.send_reply(connection, reply)
        except OSError:
            self._keep_nothing(container, pipes)
            self._launcher.give_back(container)
            raise
        self._keep_nothing(container, pipes)
        self._count("started")
        self._leases[connection.fileno()] = container
        self._poll.register(connection, READABLE)
        return True

    def _keep_nothing(self, container: Container, pipes: tuple[int, int, int]) -> None:
        """Close this process's copies, so that only the caller holds the life line."""
        container.drop()
        for descriptor in pipes:
            os.close(descriptor)

    def _count(self, what: Counted) -> None:
        with self._lock:  # of the threads that start containers
            self._counts[what] += 1

    def _told(self, question: wire.Images | wire.Memory | wire.Figures) -> wire.Reply:
        if isinstance(question, wire.Figures):
            figures = {"running": len(self._leases), "waiting": self._launcher.waiting()}
            with self._lock:
                figures |= {what: self._counts[what] for what in get_args(Counted)}
            return wire.Reply("figures", figures=figures)
        if isinstance(question, wire.Memory):
            ran_out = self._launcher.ran_out_of_memory(question.container)
            return wire.Reply("yes" if ran_out else "no")
        try:
            images = self._launcher.images()
        except IsolationUnavailable as why:
            return wire.Reply("unavailable", reason=str(why))
        return wire.Reply(
            "images",
            images,
            own_image_files=self._launcher.own_image_files,
            oci_runtime=self._launcher.oci_runtime,
        )

    def _hang_up(self, descriptor: int) -> None:
        self._connections.pop(descriptor).close()


@contextmanager
def _listening(path: Path) -> Iterator[socket.socket]:
    """Listen at a path that belongs to this process alone while it lives."""
    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            before = os.umask(0o777 & ~SOCKET_MODE)
            try:
                listener.bind(str(path))
            finally:
                os.umask(before)
            listener.listen(limits.LAUNCHER_CONNECTIONS)
            logger.info("listening at %s", path)
            yield listener
            path.unlink(missing_ok=True)
    except BlockingIOError as error:
        raise IsolationUnavailable(f"launcher: another one answers at {path}") from error
    finally:
        os.close(lock)


@contextmanager
def _stopping() -> Iterator[int]:
    """Yield a descriptor that becomes readable when this process is asked to end."""
    asked, ask = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    handlers = {
        number: signal.signal(number, lambda *_: None) for number in (signal.SIGTERM, signal.SIGINT)
    }
    before = signal.set_wakeup_fd(ask)
    try:
        yield asked
    finally:
        signal.set_wakeup_fd(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        os.close(asked)
        os.close(ask)
