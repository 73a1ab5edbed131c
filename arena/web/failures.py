"""The page for server errors: 503 if the database is unreachable, 500 for other failures."""

import sys
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import server_error

from arena.domain.errors import DATABASE_IS_DOWN

RETRY_AFTER_S = 5


def failed(request: HttpRequest) -> HttpResponse:
    """Return the response to the current exception; it needs neither database nor session."""
    if not isinstance(sys.exception(), DATABASE_IS_DOWN):
        return server_error(request)
    response = render(None, "503.html", status=HTTPStatus.SERVICE_UNAVAILABLE)
    response["Retry-After"] = str(RETRY_AFTER_S)
    return response
