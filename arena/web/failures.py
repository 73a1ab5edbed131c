"""The pages for requests that fail: why, and what to do next."""

import sys
from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.template.loader import render_to_string
from structlog.contextvars import get_contextvars

from arena.domain.errors import DATABASE_IS_DOWN

RETRY_AFTER_S = 5


def failed(_request: HttpRequest) -> HttpResponse:
    """Return the response to the current exception; it needs neither database nor session.

    It is 503 if the database is unreachable, and 500 for other failures.
    """
    if not isinstance(sys.exception(), DATABASE_IS_DOWN):
        context = {"request_id": get_contextvars().get("request_id", "")}
        return render(None, "500.html", context, status=HTTPStatus.INTERNAL_SERVER_ERROR)
    response = render(None, "503.html", status=HTTPStatus.SERVICE_UNAVAILABLE)
    response["Retry-After"] = str(RETRY_AFTER_S)
    return response


def bad_request(_request: HttpRequest, _exception: Exception) -> HttpResponse:
    """Return 400 to a request that cannot be read, which may have no user yet."""
    return render(None, "400.html", status=HTTPStatus.BAD_REQUEST)


class WrongMethodMiddleware:
    """Middleware that explains 405, which views answer without any content."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not isinstance(response, HttpResponseNotAllowed) or response.content:
            return response
        context = {"is_shown": "GET" in response["Allow"]}
        response.content = render_to_string("405.html", context, request).encode()
        return response
