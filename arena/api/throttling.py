"""How often one caller may ask: by user for signed-in callers, by address for the others.

The count is one number in the cache that all web processes share, increased in one step, for each
caller and each stretch of time on the clock (a minute, an hour). At the seam of two stretches a
caller may have twice as many in a row; nobody can have more by asking several processes at once.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, cast

from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

SECONDS = {"min": 60, "hour": 3600}


class CallerThrottle(BaseThrottle):
    """Counts per user, or per address where nobody is signed in.

    After `allow_request`: `limit`, `remaining`, and `seconds` until the count begins anew.
    """

    key: ClassVar[str]
    timer: ClassVar[Callable[[], float]] = time.time

    limit = 0
    remaining = 0
    seconds = 0

    @property
    def window_s(self) -> int:
        """How long a stretch is."""
        return SECONDS[self._rate()[1]]

    def allow_request(self, request: Request, view: APIView) -> bool:  # noqa: ARG002 - the signature of REST framework
        self.limit = int(self._rate()[0])
        now = type(self).timer()
        stretch = int(now // self.window_s)
        self.seconds = max(1, math.ceil((stretch + 1) * self.window_s - now))
        count = _count(f"throttle:{self.key}:{self._caller(request)}:{stretch}", self.window_s)
        self.remaining = max(0, self.limit - count)
        return count <= self.limit

    def wait(self) -> float:
        return self.seconds

    def get_ident(self, request: Request) -> str:
        """Trust X-Forwarded-For only as far as the operator has said that there are proxies."""
        if api_settings.NUM_PROXIES is None:
            return str(request.META.get("REMOTE_ADDR", ""))
        return str(super().get_ident(request))

    def _caller(self, request: Request) -> str:
        signed_in = request.user.is_authenticated
        return f"user-{request.user.pk}" if signed_in else self.get_ident(request)

    def _rate(self) -> tuple[str, str]:
        rates = cast("Mapping[str, str]", api_settings.DEFAULT_THROTTLE_RATES)
        amount, _slash, stretch = rates[self.key].partition("/")
        return amount, stretch


class CallsThrottle(CallerThrottle):
    """The bound on everything; polling once a second stays far below it."""

    key = "calls"


class RegisterThrottle(CallerThrottle):
    key = "register"


class TokenThrottle(CallerThrottle):
    """Slows down the guessing of passwords from one address."""

    key = "token"


def rate_limit_headers(limits: Sequence[CallerThrottle]) -> dict[str, str]:
    """Return `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).

    For each limit its name, in the first the quota `q` and its window `w`, in the second what is
    left `r` and the seconds `t` until that is the quota again.
    """
    if not limits:
        return {}
    return {
        "RateLimit-Policy": ", ".join(
            f'"{limit.key}";q={limit.limit};w={limit.window_s}' for limit in limits
        ),
        "RateLimit": ", ".join(
            f'"{limit.key}";r={limit.remaining};t={limit.seconds}' for limit in limits
        ),
    }


def _count(key: str, window_s: int) -> int:
    """Count one more; two processes that begin a count at once both land in the same one."""
    # Kept for two stretches, so that clocks a little apart share one count.
    cache.add(key, 0, timeout=2 * window_s)
    try:
        return int(cache.incr(key))
    except ValueError:  # it was dropped in between
        return 1
