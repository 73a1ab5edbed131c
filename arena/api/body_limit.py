"""A size limit for request bodies. It stands before Django, which writes a whole body to disk."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from arena.api.problems import MEDIA_TYPE, problem_body
from arena.api.refusals import BodyTooLarge

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

DRAIN_FACTOR = (
    32  # how many times the limit is read and dropped, so that the client can read the answer
)


class BodyLimit:
    """ASGI application around another one. It answers 413 to bodies over the limit.

    It reads and drops the rest of such a body in chunks, because a client that is still sending
    would see a broken connection instead of the answer. It cuts off an endless body.
    """

    def __init__(self, app: App, *, limit_bytes: int) -> None:
        self.app = app
        self.limit_bytes = limit_bytes

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = _CountedBody(receive, self.limit_bytes)
        if _stated_bytes(scope) > self.limit_bytes:
            body.is_over = True
        else:
            await self.app(scope, body.receive, send)
        if body.is_over:
            await body.drain(self.limit_bytes * DRAIN_FACTOR)
            await _refuse(send, self.limit_bytes)


class _CountedBody:
    def __init__(self, receive: Receive, limit_bytes: int) -> None:
        self._receive = receive
        self._limit_bytes = limit_bytes
        self._seen_bytes = 0
        self._ended = False
        self.is_over = False

    async def receive(self) -> Message:
        """Pass messages on up to the limit, then report that the client has disconnected."""
        message = await self._next()
        if message["type"] == "http.request" and self._seen_bytes > self._limit_bytes:
            self.is_over = True
        return {"type": "http.disconnect"} if self.is_over else message

    async def drain(self, at_most_bytes: int) -> None:
        while not self._ended and self._seen_bytes < at_most_bytes:
            await self._next()

    async def _next(self) -> Message:
        message = await self._receive()
        self._seen_bytes += len(message.get("body", b""))
        self._ended = not message.get("more_body", False)
        return message


def _stated_bytes(scope: MutableMapping[str, Any]) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


async def _refuse(send: Send, limit_bytes: int) -> None:
    problem = BodyTooLarge(
        f"A request may have {limit_bytes} bytes; this one has more.", limit_bytes=limit_bytes
    )
    body = json.dumps(problem_body(problem)).encode()
    headers = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send(
        {"type": "http.response.start", "status": int(problem.status_code), "headers": headers}
    )
    await send({"type": "http.response.body", "body": body})
