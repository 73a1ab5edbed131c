"""An id for every request, in its log lines and in its response."""

import re
import uuid
from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from structlog.contextvars import bound_contextvars

HEADER = "X-Request-ID"
# A proxy may have set an id already. Other values from outside must not get into the logs.
_ACCEPTED = re.compile(r"[A-Za-z0-9_-]{8,64}")

Answer = HttpResponseBase | Awaitable[HttpResponseBase]


class RequestIdMiddleware:
    """Bind `request_id` to the log lines of a request and set the response header."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Answer]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Answer:
        if self.is_async:
            return self._answer_async(request)
        request_id = _request_id(request)
        with bound_contextvars(request_id=request_id):
            response = self.get_response(request)
        assert isinstance(response, HttpResponseBase)  # noqa: S101 - narrows the type
        response.headers[HEADER] = request_id
        return response

    async def _answer_async(self, request: HttpRequest) -> HttpResponseBase:
        request_id = _request_id(request)
        with bound_contextvars(request_id=request_id):
            response = self.get_response(request)
            assert not isinstance(response, HttpResponseBase)  # noqa: S101 - narrows the type
            answered = await response
        answered.headers[HEADER] = request_id
        return answered


def _request_id(request: HttpRequest) -> str:
    given = request.headers.get(HEADER, "")
    return given if _ACCEPTED.fullmatch(given) else uuid.uuid4().hex
