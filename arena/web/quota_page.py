"""The page that says that a limit is reached, and when requests are allowed again."""

import math
from collections.abc import Callable
from datetime import datetime, timedelta
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import ngettext

from arena.domain.accounts.quotas import OverQuota

# allauth counts requests but does not report the waiting time; with its rates for the requests that
# it answers with 429 itself, no visitor has to wait longer than this, except to sign up.
WINDOW = timedelta(minutes=1)
SIGN_UP_WINDOW = timedelta(hours=1)


class QuotaMiddleware:
    """Middleware that shows the quota page if a view raises OverQuota."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exc: Exception) -> HttpResponse | None:
        """Return a response for OverQuota; leave other exceptions alone."""
        return (
            too_many(request, why=exc.message, free_at=exc.free_at)
            if isinstance(exc, OverQuota)
            else None
        )


def too_many(request: HttpRequest, why: str = "", free_at: datetime | None = None) -> HttpResponse:
    """Return 429 with Retry-After; without `free_at`, the response is for a refusal by allauth."""
    now = timezone.now()
    if free_at is None and request.path == reverse("account_signup"):
        free_at, why = now + SIGN_UP_WINDOW, _sign_ups()
    free_at = free_at or now + WINDOW
    response = render(
        request,
        "429.html",
        {"why": why, "free_at": free_at},
        status=HTTPStatus.TOO_MANY_REQUESTS,
    )
    response["Retry-After"] = str(max(1, math.ceil((free_at - now).total_seconds())))
    return response


def _sign_ups() -> str:
    text = ngettext(
        "From one address, %(most)d account can be made in an hour. Ask the operator of the site"
        " if you are a class or a club.",
        "From one address, %(most)d accounts can be made in an hour. Ask the operator of the site"
        " if you are a class or a club.",
        settings.SIGN_UPS_PER_HOUR,
    )
    return text % {"most": settings.SIGN_UPS_PER_HOUR}
