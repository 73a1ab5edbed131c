"""Outages of the database during work on a row.

Nobody can take over the row while nobody can write, so the holder of its lease may continue and
write later. The row still decides who holds the lease.
"""

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import connection

from arena.domain.errors import DATABASE_IS_DOWN

logger = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE_S = 86_400.0  # whoever gives up loses what it has played
PAUSE_S = 1.0


def retry_while_database_is_down(act: Callable[[], T], *, patience_s: float = PATIENCE_S) -> T:
    """Call `act`, and retry it while the database is down. Raise the outage after `patience_s`.

    `act` must be repeatable, because the connection may be lost after a commit.
    """
    until_s = time.monotonic() + patience_s
    while True:
        try:
            return act()
        except DATABASE_IS_DOWN as why:
            if connection.in_atomic_block or time.monotonic() >= until_s:
                raise
            logger.warning("database_away", extra={"why": str(why)})
            connection.close()  # a broken connection does not recover
            time.sleep(PAUSE_S)


def best_effort(act: Callable[[], None]) -> None:
    """Call `act`, but only log if the database is down."""
    try:
        act()
    except DATABASE_IS_DOWN as why:
        if connection.in_atomic_block:
            raise
        logger.warning("database_away", extra={"why": str(why)})
        connection.close()
