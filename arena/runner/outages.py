"""The database away for a while, seen from whoever holds a lease on a row.

Nobody can take the row over while nobody can write, so the holder may go on and write later: the
row still decides whether the lease is his.
"""

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import connection

from arena.domain.errors import DATABASE_IS_DOWN

logger = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE_S = 300.0
PAUSE_S = 1.0


def retry_while_database_is_down(act: Callable[[], T], *, patience_s: float = PATIENCE_S) -> T:
    """Do something, and again while the database is away; raise the outage in the end.

    It has to bear being done twice: the answer to a commit may be what was lost.
    """
    until_s = time.monotonic() + patience_s
    while True:
        try:
            return act()
        except DATABASE_IS_DOWN as why:
            if connection.in_atomic_block or time.monotonic() >= until_s:
                raise
            logger.warning("database_away", extra={"why": str(why)})
            connection.close()  # one that was cut stays cut
            time.sleep(PAUSE_S)


def best_effort(act: Callable[[], None]) -> None:
    """Do something that can be left undone while the database is away."""
    try:
        act()
    except DATABASE_IS_DOWN as why:
        if connection.in_atomic_block:
            raise
        logger.warning("database_away", extra={"why": str(why)})
        connection.close()
