"""Outages of the database during work on a row.

Nobody can take over the row while nobody can write, so the holder of its lease may continue and
write later. The row still decides who holds the lease.
"""

import logging
import time
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import connection

from arena.domain.errors import DATABASE_IS_DOWN

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE_S = 86_400.0  # whoever gives up loses what it has played
PAUSE_S = 1.0


def retried(act: Callable[P, T], *, patience_s: float = PATIENCE_S) -> Callable[P, T]:
    """Return `act`, retried while the database is down. It raises the outage after `patience_s`.

    `act` must be repeatable, because the connection may be lost after a commit.
    """

    @wraps(act)
    def acting(*args: P.args, **kwargs: P.kwargs) -> T:
        until_s = time.monotonic() + patience_s
        while True:
            try:
                return act(*args, **kwargs)
            except DATABASE_IS_DOWN as why:
                if connection.in_atomic_block or time.monotonic() >= until_s:
                    raise
                logger.warning("database_away", extra={"why": str(why)})
                connection.close()  # a broken connection does not recover
                time.sleep(PAUSE_S)

    return acting


def best_effort(act: Callable[[], None]) -> None:
    """Call `act`, but only log if the database is down."""
    try:
        act()
    except DATABASE_IS_DOWN as why:
        if connection.in_atomic_block:
            raise
        logger.warning("database_away", extra={"why": str(why)})
        connection.close()
