"""Django's handler for ASGI, with a fixed number of threads that work for requests."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, closing
from functools import partial
from http import HTTPStatus
from typing import IO, cast

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.signals import request_started
from django.db import close_old_connections
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from arena import http_metrics
from arena.api.refusals import Unavailable
from arena.event_streams import EventStream
from arena.server.answers import answer
from arena.server.bodies import client_of
from arena.server.connections import BoundedServer
from arena.server.proxies import Receive, Scope, Send
from arena.server.streams import Streams
from arena.server.threads import OPERATORS_AT_ONCE, Surplus, Threads

ALIVE = "/healthz"
OPERATORS = ("/readyz", "/metrics")
BUSY = Unavailable("The server answers as many requests as it can at the moment.")
READERS = 4  # threads that read the next piece of a file for a client that takes it


class BoundedHandler(ASGIHandler):
    """Django's handler, which answers a request in one thread out of few.

    The thread closes what it has of the database as soon as the answer is made. Files are read as
    fast as the client takes them: Django itself would read a whole file first, and keep it.
    """

    def __init__(self) -> None:
        BaseHandler.__init__(self)  # that of ASGIHandler loads the middleware for an event loop
        self.load_middleware()
        self._visitors = Threads("visitor", settings.REQUESTS_AT_ONCE)
        self._operators = Threads("operator", OPERATORS_AT_ONCE)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self._streams = Streams()
        BoundedServer.at_end.append(self._streams.end)

    async def __call__(  # type: ignore[override] # as the other applications here
        self, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer a request once its body is here."""
        if scope["type"] != "http":
            raise ValueError(f"This site has no {scope['type']}.")
        if scope["path"] == ALIVE and scope["method"] in ("GET", "HEAD"):
            # The event loop answers, which runs even if every thread is at work.
            content = b'{"status": "ok"}'
            headers = [
                (b"content-type", b"application/json"),
                (b"content-length", str(len(content)).encode()),
                (b"cache-control", b"no-store"),
                (b"x-content-type-options", b"nosniff"),
            ]
            http_metrics.REQUESTS.labels("healthz", scope["method"], HTTPStatus.OK.value).inc()
            await send(
                {"type": "http.response.start", "status": HTTPStatus.OK.value, "headers": headers}
            )
            await send({"type": "http.response.body", "body": content})
            return
        threads = self._operators if scope["path"] in OPERATORS else self._visitors
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with closing(body):
            try:
                response = await threads.run(partial(self._respond, scope, body))
            except Surplus:
                await _refuse(scope, send)
                return
            if isinstance(response, EventStream):
                await self._stream(response, scope, receive, send)
            else:
                await self._pass_on(response, send)

    def _respond(self, scope: Scope, body: IO[bytes]) -> HttpResponseBase:
        """Return the response to a request, and give the connection to the database back."""
        set_script_prefix(get_script_prefix(scope))
        try:
            request_started.send(sender=type(self), scope=scope)
            request, refusal = self.create_request(scope, body)
            response = self.get_response(request) if request else cast("HttpResponse", refusal)
            if not response.streaming:
                response.close()
            return response
        finally:
            close_old_connections()

    async def _pass_on(self, response: HttpResponseBase, send: Send) -> None:
        """Send a response; pieces of a file come from threads that no visitor waits for."""
        if not isinstance(response, StreamingHttpResponse):
            await self.send_response(response, send)  # type: ignore[arg-type] # a Message is a dict
            return
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        content = cast("Iterable[bytes]", response.streaming_content)
        response.streaming_content = self._pieces(iter(content))
        try:
            await self.send_response(response, send)  # type: ignore[arg-type] # as above
        finally:
            await asyncio.get_running_loop().run_in_executor(self._readers, response.close)

    async def _stream(
        self, response: EventStream, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Send the events of a stream, until it is over or the client has gone."""
        client = client_of(scope)
        if not self._streams.has_room_for(client):
            await _refuse(scope, send)
            return
        headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

        async def send_all() -> None:
            events = self._streams.events(response, client=client, threads=self._operators)
            async with aclosing(events):
                async for event in events:
                    await send({"type": "http.response.body", "body": event, "more_body": True})
            await send({"type": "http.response.body", "body": b""})

        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        # What comes after the body of a request is that its client has gone.
        tasks = [asyncio.ensure_future(work) for work in (send_all(), receive())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _pieces(self, content: Iterator[bytes]) -> AsyncIterator[bytes]:
        loop = asyncio.get_running_loop()
        while piece := await loop.run_in_executor(self._readers, next, content, b""):
            yield piece


async def _refuse(scope: Scope, send: Send) -> None:
    http_metrics.REQUESTS_FULL.inc()
    head, content = answer(scope, BUSY, "503_busy.html")
    await send(head)
    await send({"type": "http.response.body", "body": content})
