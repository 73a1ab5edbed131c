"""A cache in Redis that the site can lose: while Redis is down, it behaves like an empty cache.

It mainly counts requests. Not counting for a minute is better than responding with errors.
"""

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

T = TypeVar("T")


class ForgivingRedisCache(RedisCache):
    """A Redis cache that behaves like an empty cache while Redis is down."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _ForgivingClient


class _ForgivingClient(RedisCacheClient):
    def add(self, *asked: Any) -> bool:  # noqa: ANN401 - Django's signature
        return _unless_away(super().add, *asked, otherwise=True)

    def get(self, *asked: Any) -> Any:  # noqa: ANN401 - Django's signature
        return _unless_away(super().get, *asked, otherwise=asked[1])

    def set(self, *asked: Any) -> None:  # noqa: ANN401 - Django's signature
        _unless_away(super().set, *asked, otherwise=None)

    def delete(self, *asked: Any) -> bool:  # noqa: ANN401 - Django's signature
        return _unless_away(super().delete, *asked, otherwise=False)

    def incr(self, *asked: Any) -> Any:  # noqa: ANN401 - Django's signature
        return _unless_away(super().incr, *asked, otherwise=asked[1])


def _unless_away(ask: Callable[..., T], *asked: Any, otherwise: T) -> T:  # noqa: ANN401 - Django's signature
    try:
        return ask(*asked)
    except RedisError as exc:
        logger.warning("cache_unreachable", extra={"why": str(exc)})
        return otherwise
