"""The page that says that a limit is reached, and when it is free again."""

import math
from collections.abc import Callable
from datetime import datetime, timedelta
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from arena.domain.accounts.quotas import OverQuota

# Signing in and up are counted by allauth, which does not say how long to wait; by its rates on
# what answers with 429 nobody waits longer than this.
SIGN_IN_WINDOW_S = 60


class QuotaMiddleware:
    """Answers with that page where a view was refused for a quota."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exc: Exception) -> HttpResponse | None:
        """Turn OverQuota into an answer; leave the others alone."""
        return (
            too_many(request, why=exc.message, free_at=exc.free_at)
            if isinstance(exc, OverQuota)
            else None
        )


def too_many(request: HttpRequest, why: str = "", free_at: datetime | None = None) -> HttpResponse:
    """Answer 429 with Retry-After; without `free_at`, what allauth refused."""
    now = timezone.now()
    free_at = free_at or now + timedelta(seconds=SIGN_IN_WINDOW_S)
    response = render(
        request,
        "429.html",
        {"why": why, "free_at": free_at},
        status=HTTPStatus.TOO_MANY_REQUESTS,
    )
    response["Retry-After"] = str(max(1, math.ceil((free_at - now).total_seconds())))
    return response
