"""Counts and times of the requests to this process, by the name of the route.

The web server is one process, so each web host counts its own requests and a scrape of that host
finds them here. Names of routes and methods are bounded, whatever clients ask for.
"""

import time
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from prometheus_client import Counter, Gauge, Histogram

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

REQUESTS = Counter(
    "drapeau_http_requests",
    "Answered requests, by the name of the route, the method and the status.",
    ("route", "method", "status"),
)
SECONDS = Histogram(
    "drapeau_http_request_seconds",
    "Time from a request to the head of its answer.",
    ("route", "method"),
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0),
)
REFUSED = Counter(
    "drapeau_http_refused",
    "Requests and connections that the web server refused before the site saw them.",
    ("reason",),
)
BODY_TOO_LARGE, UPLOADS_FULL, REQUESTS_FULL, CONNECTIONS_FULL, TOO_SLOW = (
    REFUSED.labels(reason)
    for reason in (
        *("body_too_large", "uploads_full", "requests_full"),
        *("connections_full", "too_slow"),
    )
)
STREAMS = Gauge("drapeau_live_streams", "Open streams of running matches and of pages.")

GetResponse = Callable[[HttpRequest], HttpResponseBase]
GetResponseLater = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


@sync_and_async_middleware
def count_requests(get_response: Any) -> GetResponse | GetResponseLater:  # noqa: ANN401 - either kind
    """Return a middleware that counts each request and its time.

    It is the outermost, so that it sees every answer.
    """

    def count(request: HttpRequest) -> HttpResponseBase:
        began_s = time.perf_counter()
        response: HttpResponseBase = get_response(request)
        _count(request, response, time.perf_counter() - began_s)
        return response

    async def count_later(request: HttpRequest) -> HttpResponseBase:
        began_s = time.perf_counter()
        response: HttpResponseBase = await get_response(request)
        _count(request, response, time.perf_counter() - began_s)
        return response

    return count_later if iscoroutinefunction(get_response) else count


def _count(request: HttpRequest, response: HttpResponseBase, took_s: float) -> None:
    match = request.resolver_match
    # Static files, and addresses that lead nowhere, have no route.
    route = (match.view_name if match else "") or "none"
    method = request.method if request.method in METHODS else "other"
    REQUESTS.labels(route, method, response.status_code).inc()
    SECONDS.labels(route, method).observe(took_s)
