"""Answers that a browser saves as files."""

from typing import TypeVar

from django.http import HttpResponse

CSV = "text/csv; charset=utf-8"
Response = TypeVar("Response", bound=HttpResponse)


def named(response: Response, name: str) -> Response:
    """Return the response with the name of its file; short names need no quoting."""
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
