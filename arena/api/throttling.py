"""Limits on calls: per user for signed-in callers, per address for the others.

Addresses of trusted networks are not counted.

For each caller and each window (a minute or an hour of the clock), the cache that all web processes
share has one counter, which is increased atomically. A caller can make twice as many calls around
the end of a window, but no more by calling several processes at once.
"""

import hashlib
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, cast

from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from arena.domain.accounts import quotas

SECONDS = {"min": 60, "hour": 3600}


class CallerThrottle(BaseThrottle):
    """Counts calls per user, or per address if nobody is signed in.

    `allow_request` sets `limit`, `remaining`, and `seconds` until the next window.
    """

    key: ClassVar[str]
    says: ClassVar[str] = (
        "This address allows {limit} requests of one caller in {window_s} seconds."
    )
    timer: ClassVar[Callable[[], float]] = time.time

    limit = 0
    remaining = 0
    seconds = 0

    @property
    def window_s(self) -> int:
        """The length of a window."""
        return SECONDS[self._rate()[1]]

    def allow_request(self, request: Request, view: APIView) -> bool:  # noqa: ARG002 - the signature of REST framework
        self.limit = int(self._rate()[0])
        now = type(self).timer()
        stretch = int(now // self.window_s)
        self.seconds = max(1, math.ceil((stretch + 1) * self.window_s - now))
        user = request.user
        caller = f"user-{user.pk}" if user.is_authenticated else self.get_ident(request)
        if quotas.is_trusted(address=caller):
            self.remaining = self.limit
            return True
        count = _count(f"throttle:{self.key}:{caller}:{stretch}", self.window_s)
        self.remaining = max(0, self.limit - count)
        return count <= self.limit

    def wait(self) -> float:
        return self.seconds

    def _rate(self) -> tuple[str, str]:
        rates = cast("Mapping[str, str]", api_settings.DEFAULT_THROTTLE_RATES)
        amount, _slash, stretch = rates[self.key].partition("/")
        return amount, stretch


class CallsThrottle(CallerThrottle):
    """The limit on all calls; polling once a second stays far below it."""

    key = "calls"


class RegisterThrottle(CallerThrottle):
    key = "register"


class TokenThrottle(CallerThrottle):
    """Slows down attempts to guess passwords from one address."""

    key = "token"


class AccountThrottle(CallerThrottle):
    """Slows down attempts to guess the password of one account, from all addresses together.

    It counts the name that was sent, so it says nothing about who has an account.
    """

    key = "account"
    says = "One account allows {limit} sign-ins by password in {window_s} seconds."

    def get_ident(self, request: Request) -> str:
        name = request.data.get("username", "") if isinstance(request.data, dict) else ""
        return hashlib.sha256(str(name).strip().lower().encode()).hexdigest()


def rate_limit_headers(limits: Sequence[CallerThrottle]) -> dict[str, str]:
    """Return `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).

    Both name each limit. The first has the quota `q` and the window `w`. The second has the
    remaining calls `r` and the seconds `t` until the next window.
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
    """Increase a counter, also when two processes create it at once. Return its value."""
    # Kept for two windows, so that processes with slightly different clocks share one counter.
    cache.add(key, 0, timeout=2 * window_s)
    try:
        return int(cache.incr(key))
    except ValueError:  # the cache dropped it in between
        return 1
