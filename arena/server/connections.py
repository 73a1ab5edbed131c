"""Connections that end: a client that is silent, slow or one too many loses its connection.

uvicorn has a time limit only for a connection that is idle between two requests. These classes add
limits for the other stages of a connection, and for the number of connections.

Once a second the server looks at every connection. Each stage has a number of seconds, which the
time between two looks uses up. Such a look counts for at most `LOOK_MAX_S`: if the process itself
was not let run, the bytes of the clients wait in the kernel and nobody has been slow.
"""

import asyncio
import math
import struct
import time
from collections.abc import Callable
from enum import Enum, auto
from http import HTTPStatus
from socket import SO_LINGER, SOL_SOCKET
from typing import Any, ClassVar

import h11
import uvicorn
from django.conf import settings
from uvicorn.protocols.http.h11_impl import H11Protocol

from arena import http_metrics

LOOK_TICKS = 10  # of uvicorn, ten a second
LOOK_MAX_S = 2.0
REFUSED_S = 2.0  # for a client to read that it was refused
REFUSED_AT_ONCE = 64  # beyond these, a connection is cut without an answer
RETRY_AFTER_S = 5
RESET = struct.pack("ii", 1, 0)  # on, for 0 seconds

_TEXTS = {
    HTTPStatus.REQUEST_TIMEOUT: "The request did not arrive in time. Send it again.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The server has too many connections. Try again in a moment.",
}


class Stage(Enum):
    """What a connection waits for."""

    IDLE = auto()  # the first byte of the next request
    HEAD = auto()  # the head of a request
    BODY = auto()  # the body of a request
    WORK = auto()  # the site's own work; it has no limit here
    ANSWER = auto()  # the client to take what was sent
    REFUSED = auto()  # a client that was one too many


class BoundedConnection(H11Protocol):
    """A connection of uvicorn that may be told to end."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - the signature of uvicorn
        super().__init__(*args, **kwargs)
        self.seen: tuple[Stage, object] | None = None  # at the latest look, with what it is about
        self.left_s = 0.0
        self._received_bytes = 0
        self._drains = 0
        self._is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn
        """Take the connection if there is room, or make room."""
        super().connection_made(transport)
        surplus = len(self.connections) - settings.CONNECTIONS
        if surplus <= 0 or self._make_room():
            return
        self._is_refused = True
        http_metrics.CONNECTIONS_FULL.inc()
        if surplus > REFUSED_AT_ONCE:
            transport.abort()
        else:
            self._answer(HTTPStatus.SERVICE_UNAVAILABLE)
            transport.write_eof()  # and not closed: a reset would destroy the answer

    def data_received(self, data: bytes) -> None:
        """Count what comes in, and drop what a refused client sends."""
        if not self._is_refused:
            self._received_bytes += len(data)
            super().data_received(data)

    def resume_writing(self) -> None:
        """Note that the client has taken most of what was waiting for it."""
        self._drains += 1
        super().resume_writing()

    @property
    def stage(self) -> Stage:
        """What the connection waits for now."""
        if self._is_refused:
            return Stage.REFUSED
        if self.transport.get_write_buffer_size():
            return Stage.ANSWER
        if self.conn.their_state is h11.SEND_BODY:
            return Stage.BODY
        if self.conn.their_state is not h11.IDLE:
            return Stage.WORK
        is_first = self.cycle is None
        return Stage.HEAD if is_first or self.conn.trailing_data[0] else Stage.IDLE

    def look(self, passed_s: float) -> None:
        """End the connection if the client has used up the time of this stage."""
        stage = self.stage
        seen = (stage, self._drains if stage is Stage.ANSWER else self.cycle)
        allowed: dict[Stage, float] = {
            Stage.HEAD: settings.HEAD_S,
            Stage.IDLE: settings.KEEP_ALIVE_S,
            Stage.BODY: settings.BODY_PAUSE_S,
            Stage.ANSWER: settings.ANSWER_S,
            Stage.REFUSED: REFUSED_S,
        }
        most_s = allowed.get(stage, math.inf)
        if seen != self.seen:
            self.seen, self.left_s = seen, most_s
        else:
            self.left_s -= passed_s
            if stage is Stage.BODY:
                paid_s = self._received_bytes / settings.BODY_BYTES_PER_S
                self.left_s = min(most_s, self.left_s + paid_s)
        self._received_bytes = 0
        if self.left_s <= 0:
            if stage not in (Stage.IDLE, Stage.REFUSED):
                http_metrics.TOO_SLOW.inc()
            self._end(stage)

    def _end(self, stage: Stage) -> None:
        """Close the connection, with 408 if the client has begun a request."""
        unanswered = self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE)
        if stage in (Stage.ANSWER, Stage.REFUSED):
            # Closed as usual, the kernel would go on to keep megabytes for a client that is deaf.
            self.transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, RESET)
            self.transport.abort()
            return
        if unanswered and (stage is Stage.BODY or self.conn.trailing_data[0]):
            self._answer(HTTPStatus.REQUEST_TIMEOUT)
        self.transport.close()

    def _answer(self, status: HTTPStatus) -> None:
        """Send a last answer, past h11, which may not be in a state to send one."""
        text = _TEXTS[status]
        self.transport.write(
            f"HTTP/1.1 {status.value} {status.phrase}\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            f"Content-Length: {len(text)}\r\n"
            f"Retry-After: {RETRY_AFTER_S}\r\n"
            f"Connection: close\r\n\r\n{text}".encode()
        )

    def _make_room(self) -> bool:
        """Cut the connection that has waited longest for a head; return False if there is none.

        A connection at which nobody has looked yet is new: its head may be on its way.
        """
        waiting = [
            other
            for other in self.connections
            if isinstance(other, BoundedConnection)
            and other.seen == (other.stage, other.cycle)
            and other.stage in (Stage.HEAD, Stage.IDLE)
        ]
        if not waiting:
            return False
        longest = min(waiting, key=lambda other: other.left_s)
        self.connections.discard(longest)
        longest.transport.abort()
        return True


class BoundedServer(uvicorn.Server):
    """A server that looks at its connections once a second.

    When it is told to end, it calls what is in `at_end` first: streams have no end of their own.
    """

    at_end: ClassVar[list[Callable[[], None]]] = []
    _looked_at = math.inf

    async def on_tick(self, counter: int) -> bool:
        """Look at the connections. Return whether the server ends."""
        if counter % LOOK_TICKS == 0:
            now = time.monotonic()
            passed_s = min(LOOK_MAX_S, max(0.0, now - self._looked_at))
            self._looked_at = now
            for connection in list(self.server_state.connections):
                if isinstance(connection, BoundedConnection):
                    connection.look(passed_s)
        ends = await super().on_tick(counter)
        if ends:
            for act in self.at_end:
                act()
        return ends
