"""The client of the launcher service, for games; it needs neither Docker nor a folder."""

import os
import socket
import time
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.launcher import wire
from sandbox.launcher.order import Launched, Order
from sandbox.refusal import IsolationUnavailable

SCHEME = "unix://"


class Client:
    """A client of the service at `unix:///path`, without state: each container has a connection."""

    def __init__(self, address: str) -> None:
        if not address.startswith(f"{SCHEME}/"):
            raise IsolationUnavailable(f"launcher: {address!r} is not of the form unix:///path")
        self._address = address
        self._path = address.removeprefix(SCHEME)

    def images(self) -> Mapping[str, str]:
        """Return the image id of every runtime whose image exists. Raise `IsolationUnavailable`."""
        return self.offer().images

    def offer(self) -> wire.Reply:
        """Return the images and what the containers are like. Raise `IsolationUnavailable`."""
        try:
            with self._connect() as connection:
                wire.send_request(connection, wire.Images())
                reply = wire.receive_reply(connection)
        except OSError as error:
            raise IsolationUnavailable(self._silent(error)) from error
        if reply.word != "images":
            raise IsolationUnavailable(f"launcher: {reply.reason}")
        return reply

    def figures(self) -> Mapping[str, int] | None:
        """Return the figures of the service, or None if it does not answer or knows none."""
        try:
            with self._connect() as connection:
                wire.send_request(connection, wire.Figures())
                return wire.receive_reply(connection).figures or None
        except OSError:
            return None

    def launch(self, order: Order) -> Launched:
        """Start one container, or raise `PlatformFault` and leave nothing behind."""
        with ExitStack() as undo:
            try:
                connection = undo.enter_context(self._connect_to_the_next())
                wire.send_request(connection, order)
                reply = wire.receive_reply(connection)
                for descriptor in reply.descriptors:
                    undo.callback(os.close, descriptor)
                if reply.word != "launched":
                    raise PlatformFault(f"launcher: {reply.reason}")
                stdin, stdout, stderr, control, slot, uids, *counters = reply.descriptors
                launched = Launched(
                    stdin,
                    stdout,
                    stderr,
                    socket.socket(fileno=control),
                    tuple(counters),
                    ran_out_of_memory=partial(self._ran_out_of_memory, reply.container),
                    release=partial(_release, connection, (slot, uids)),
                    oci_runtime=reply.oci_runtime,
                )
            except OSError as error:
                raise PlatformFault(self._silent(error)) from error
            undo.pop_all()
        return launched

    def _ran_out_of_memory(self, container: str) -> bool:
        try:
            with self._connect() as connection:
                connection.settimeout(2 * limits.END_ASK_S)
                wire.send_request(connection, wire.Memory(container))
                return wire.receive_reply(connection).word == "yes"
        except OSError:
            return False

    def close(self) -> None:
        """Do nothing, because the client holds nothing."""

    def _connect(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            connection.settimeout(limits.LAUNCHER_WAIT_S)
            connection.connect(self._path)
        except OSError:
            connection.close()
            raise
        return connection

    def _connect_to_the_next(self) -> socket.socket:
        """Retry while no launcher listens: a killed launcher is soon replaced."""
        until_s = time.monotonic() + limits.LAUNCHER_AWAY_S
        while True:
            try:
                return self._connect()
            except (ConnectionRefusedError, FileNotFoundError):
                if time.monotonic() >= until_s:
                    raise
                time.sleep(limits.LAUNCHER_LOOK_S)

    def _silent(self, error: OSError) -> str:
        return f"launcher: nobody answers at {self._address} ({error.strerror or error})"


def _release(connection: socket.socket, locks: tuple[int, int]) -> None:
    """End the lease: the service or its successor clears the folder and frees the user id."""
    for lock in locks:
        os.close(lock)
    connection.close()
