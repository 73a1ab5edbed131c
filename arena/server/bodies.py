"""Limits on the size of request bodies. They stand before Django, which stores a whole body.

`LIMITS` is the table: a route that is not in it takes `SMALL_BYTES`. A body that states more is
refused before it is read, and a body that does not state its size is cut at the limit. What Django
stores beyond `FILE_UPLOAD_MAX_MEMORY_SIZE` goes to a file, so an unfinished request cannot hold
more memory than that; `LARGE_AT_ONCE` limits the files. Nobody has signed in yet at this point, so
each client address has only a share of them.
"""

import asyncio
import contextlib
import ipaddress
from collections import Counter
from http import HTTPStatus

from django.conf import settings
from django.urls import Resolver404, resolve

from arena import http_metrics
from arena.api.parsers import FORM_OVERHEAD_BYTES, JSON_BODY_BYTES, JSON_ESCAPE_BYTES
from arena.api.refusals import BodyTooLarge, Problem, Unavailable
from arena.domain.tournaments.entry.entry_lists import MOST_BYTES as ENTRY_LIST_BYTES
from arena.server.answers import answer
from arena.server.proxies import App, Message, Receive, Scope, Send

SMALL_BYTES = 128 * 1024
LIMITS = {  # by the name of the route
    "bot-new": settings.BODY_MAX_BYTES,
    "version-new": settings.BODY_MAX_BYTES,
    "api-bot-versions": settings.BODY_MAX_BYTES,
    "tournament-take-list": 2 * ENTRY_LIST_BYTES + FORM_OVERHEAD_BYTES,  # typed, and as a file
    "api-tournament-take-list": ENTRY_LIST_BYTES * JSON_ESCAPE_BYTES + JSON_BODY_BYTES,
}
LARGE_AT_ONCE = 32  # requests of one process with more than `SMALL_BYTES`
LARGE_OF_ONE = 4  # of them, from one client address
HOME_PREFIX = 64  # bits of an IPv6 address that name a client; it chooses the others freely

# After its answer, the rest of a refused body is read and dropped: a client that is still sending
# would see a broken connection instead of the answer.
DRAIN_BYTES = 64 * 1024 * 1024
DRAIN_S = 30.0

_PAGES = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "413.html",
    HTTPStatus.SERVICE_UNAVAILABLE: "503_uploads.html",
}


def limit_of(path: str) -> int:
    """Return how many bytes a request to an address may have."""
    try:
        return LIMITS.get(resolve(path).view_name, SMALL_BYTES)
    except Resolver404:
        return SMALL_BYTES


class BodyLimits:
    """ASGI application around another one. It answers 413 to bodies over the limit of a route."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._large: Counter[str] = Counter()  # requests that are being received, by client

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_body = scope["type"] == "http" and any(
            name in (b"content-length", b"transfer-encoding") for name, _ in scope["headers"]
        )
        if not has_body:
            await self.app(scope, receive, send)
            return
        limit_bytes = limit_of(scope["path"])
        lengths = (value for name, value in scope["headers"] if name == b"content-length")
        stated_bytes = next((int(length) for length in lengths if length.isdigit()), None)
        body = _CountedBody(receive, limit_bytes)
        if stated_bytes is not None and stated_bytes > limit_bytes:
            await _refuse(scope, body, send, _too_large(limit_bytes))
            return
        is_large = (limit_bytes if stated_bytes is None else stated_bytes) > SMALL_BYTES
        client = client_of(scope)
        if is_large and (problem := self._no_place(client)):
            await _refuse(scope, body, send, problem)
            return
        self._large[client] += is_large
        try:
            await self.app(scope, body.receive, send)
        finally:
            self._large[client] -= is_large
            self._large += Counter()  # drop those that have nothing left
        if body.is_over:
            await _refuse(scope, body, send, _too_large(limit_bytes))

    def _no_place(self, client: str) -> Problem | None:
        """Return why a client cannot send a large body now, or None if it can."""
        if self._large.total() >= LARGE_AT_ONCE:
            return Unavailable("The server receives as many uploads as it can at the moment.")
        if self._large[client] >= LARGE_OF_ONE:
            return Unavailable(
                f"The server receives {LARGE_OF_ONE} uploads from your address at the moment, and"
                " takes no more from one address at a time."
            )
        return None


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

    async def drain(self) -> None:
        """Read and drop the rest, within limits."""
        until_bytes = self._seen_bytes + DRAIN_BYTES
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_S):
                while not self._ended and self._seen_bytes < until_bytes:
                    await self._next()

    async def _next(self) -> Message:
        message = await self._receive()
        self._seen_bytes += len(message.get("body", b""))
        self._ended = not message.get("more_body", False)
        return message


def client_of(scope: Scope) -> str:
    """Return the address of the caller, or the network of its home; empty if none is known."""
    host = (scope.get("client") or ("", 0))[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return ""
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), HOME_PREFIX), strict=False))


def _too_large(limit_bytes: int) -> Problem:
    return BodyTooLarge(
        f"A request to this address may have {limit_bytes} bytes; this one has more.",
        hint=None if limit_bytes > SMALL_BYTES else "Send less.",
        limit_bytes=limit_bytes,
    )


async def _refuse(scope: Scope, body: _CountedBody, send: Send, problem: Problem) -> None:
    """Answer with a problem, or outside the API with a page; then drop the rest of the body."""
    counter = (
        http_metrics.UPLOADS_FULL
        if isinstance(problem, Unavailable)
        else http_metrics.BODY_TOO_LARGE
    )
    counter.inc()
    head, content = answer(scope, problem, _PAGES[HTTPStatus(problem.status_code)])
    await send({**head, "headers": [*head["headers"], (b"connection", b"close")]})
    await send({"type": "http.response.body", "body": content, "more_body": True})
    if (b"expect", b"100-continue") not in scope["headers"]:  # then the client sends no body
        await body.drain()
    await send({"type": "http.response.body", "body": b""})
