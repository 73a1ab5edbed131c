"""What the web server itself answers instead of the site: a problem in the API, else a page."""

import json
from functools import cache

from django.shortcuts import render

from arena.api.problems import MEDIA_TYPE, problem_body
from arena.api.refusals import Problem, Unavailable
from arena.server.proxies import Message, Scope


def answer(scope: Scope, problem: Problem, page: str) -> tuple[Message, bytes]:
    """Return the head and the content of the answer to a request that is refused."""
    if scope["path"].startswith("/api/"):
        media_type, content = MEDIA_TYPE, json.dumps(problem_body(problem)).encode()
    else:
        media_type, content = _rendered(page)
    headers = [
        (b"content-type", media_type.encode()),
        (b"content-length", str(len(content)).encode()),
        (b"content-security-policy", b"default-src 'none'; style-src 'self'; img-src 'self'"),
        (b"x-content-type-options", b"nosniff"),
    ]
    if isinstance(problem, Unavailable):
        headers.append((b"retry-after", str(problem.wait_s).encode()))
    status = int(problem.status_code)
    return {"type": "http.response.start", "status": status, "headers": headers}, content


@cache
def _rendered(page: str) -> tuple[str, bytes]:
    """Return the type and the content of a page that depends on nothing."""
    response = render(None, page)
    return str(response["Content-Type"]), response.content
