"""Refusals as problems of RFC 9457: what happened, why, and what to do next.

Every answer of the API that is not a success is `application/problem+json` with the members `type`,
`title` (what), `status`, `detail` (why), `code` (for programs; stable), `hint` (what next; may be
empty) and `errors` (one row per field of a refused form; may be empty).
"""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import Http404, HttpResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from arena.api.refusals import BodyTooLarge, Problem, TooManyRequests, Unavailable, refusal_of
from arena.domain.errors import DATABASE_IS_DOWN, Refused

logger = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
SIGN_IN_HINT = (
    "Send the header 'Authorization: Bearer <token>'. POST /api/v1/tokens with your user name and "
    "password gives a token."
)


@dataclass(frozen=True, slots=True)
class _Words:
    code: str
    title: str
    hint: str = ""


_WORDS: dict[type[exceptions.APIException], _Words] = {
    exceptions.NotAuthenticated: _Words("not_signed_in", "You are not signed in", SIGN_IN_HINT),
    exceptions.AuthenticationFailed: _Words(
        "bad_token", "The token is not accepted", "It may be revoked or expired: make a new one."
    ),
    exceptions.PermissionDenied: _Words("forbidden", "You may not do that"),
    exceptions.NotFound: _Words(
        "not_found",
        "There is no such thing",
        "Check the address. /api/v1/docs/ lists all addresses.",
    ),
    exceptions.MethodNotAllowed: _Words(
        "method_not_allowed",
        "This address does not support the method",
        "The Allow header lists the methods that it supports.",
    ),
    exceptions.UnsupportedMediaType: _Words(
        "unsupported_media_type",
        "The content type is not supported here",
        "Send JSON, or multipart/form-data to upload a file.",
    ),
    exceptions.ParseError: _Words("malformed", "The request could not be read"),
    exceptions.ValidationError: _Words(
        "invalid", "Some values are not valid", "Correct the fields that 'errors' lists."
    ),
}


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response:
    """Return problem JSON for any exception of a view. This is the `EXCEPTION_HANDLER`."""
    problem = _known(exc)
    set_rollback()
    if problem is None:  # the answer is without details, and the log has all of them
        problem = _server_error()
        logger.error("api.crash", exc_info=exc)
        got_request_exception.send(sender=exception_handler, request=context.get("request"))
    return Response(
        problem_body(problem),
        status=problem.status_code,
        headers=_headers(problem),
        content_type=MEDIA_TYPE,
    )


def outside_of_views(exc: BaseException | None) -> HttpResponse:
    """Return problem JSON for an exception that no view of the API has handled."""
    problem = (_known(exc) if isinstance(exc, Exception) else None) or _server_error()
    return HttpResponse(
        json.dumps(problem_body(problem)),
        status=problem.status_code,
        headers=_headers(problem),
        content_type=MEDIA_TYPE,
    )


def _known(exc: Exception) -> exceptions.APIException | None:
    if isinstance(exc, exceptions.APIException):
        return exc
    if isinstance(exc, Refused):
        return refusal_of(exc)
    return _known_of_django(exc)


def _known_of_django(exc: Exception) -> exceptions.APIException | None:
    if isinstance(exc, Http404):
        return exceptions.NotFound()
    if isinstance(exc, PermissionDenied):
        return exceptions.PermissionDenied()
    if isinstance(exc, RequestDataTooBig):
        return BodyTooLarge("The text fields of the form are too large.")
    if isinstance(exc, SuspiciousOperation):
        return exceptions.ParseError(str(exc))
    if isinstance(exc, DATABASE_IS_DOWN):
        logger.warning("database_away", exc_info=exc)
        return Unavailable("The database does not answer; most likely it restarts.")
    return None


def _server_error() -> Problem:
    problem = Problem(
        "The server failed. Its operators can see the reason in the log.",
        code="server_error",
        hint="Try again in a minute.",
    )
    problem.title = "The server has failed"
    return problem


def problem_body(exc: exceptions.APIException) -> dict[str, Any]:
    """Return the members of a problem."""
    words, detail = _words(exc), str(exc.detail)
    errors: list[dict[str, str]] = []
    if isinstance(exc, exceptions.ValidationError):
        errors, detail = list(_errors(exc.detail)), str(exc.default_detail)
        if errors:
            detail = f"{errors[0]['field']}: {errors[0]['message']}"
    body: dict[str, Any] = {
        "type": f"urn:drapeau:problem:{words.code}",
        "title": words.title,
        "status": int(exc.status_code),
        "detail": detail,
        "code": words.code,
        "hint": words.hint,
        "errors": errors,
    }
    if isinstance(exc, Problem):
        body.update(exc.extra)
    return body


def _words(exc: exceptions.APIException) -> _Words:
    if isinstance(exc, Problem):
        return _Words(str(exc.get_codes()), exc.title, exc.hint)
    for kind in type(exc).__mro__:
        if kind in _WORDS:
            return _WORDS[kind]
    return _Words(exc.default_code, str(exc.default_detail))


def _errors(detail: object, path: str = "") -> Iterator[dict[str, str]]:
    """Flatten the nested errors of a serializer into rows of field, code and message."""
    if isinstance(detail, exceptions.ErrorDetail):
        yield {"field": path or "request", "code": str(detail.code), "message": str(detail)}
    elif isinstance(detail, Mapping):
        for name, inner in detail.items():
            own = "" if name == "non_field_errors" else str(name)
            yield from _errors(inner, ".".join(part for part in (path, own) if part))
    elif isinstance(detail, Sequence) and not isinstance(detail, str):
        for inner in detail:
            yield from _errors(inner, path)


def _headers(exc: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if auth_header := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = str(auth_header)
    if isinstance(exc, TooManyRequests | Unavailable):
        headers["Retry-After"] = str(exc.wait_s)
    return headers
