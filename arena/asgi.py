"""The ASGI application. `python -m arena.server` serves it."""

import os
from collections.abc import AsyncIterator, Iterable, Iterator
from functools import partial
from typing import cast

import django
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
django.setup(set_prefix=False)

from arena.server.bodies import BodyLimits  # noqa: E402 - needs Django set up
from arena.server.proxies import App, TrustedProxies  # noqa: E402 - as above


class PiecewiseHandler(ASGIHandler):
    """Django's handler, which reads a file as fast as the client takes it.

    Django itself would read the whole file first, and keep it for as long as the client is slow.
    """

    async def run_get_response(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response, with its content in pieces."""
        response: HttpResponseBase = await super().run_get_response(request)
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            content = cast("Iterable[bytes]", response.streaming_content)
            response.streaming_content = _pieces(iter(content))
        return response


async def _pieces(content: Iterator[bytes]) -> AsyncIterator[bytes]:
    next_piece = sync_to_async(partial(next, content, b""))
    while piece := await next_piece():
        yield piece


site = cast("App", PiecewiseHandler())
application = TrustedProxies(BodyLimits(site), count=settings.PROXIES)
