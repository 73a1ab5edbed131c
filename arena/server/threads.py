"""How many requests a process answers at once: each has a thread, and a connection of its pool.

Django itself starts a thread for each request, and each thread opens a connection to the database.
Here the threads are as many as `DRAPEAU_REQUESTS_AT_ONCE`. A short queue waits for them, and what
is beyond it gets 503 at once. A thread works for a request from the moment its body is here until
its answer is made, so clients that are slow to send or to read hold none.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from django.conf import settings

OPERATORS_AT_ONCE = 2  # requests for health and metrics, which do not wait behind visitors
# The pool waits so long for the database. Threads never wait for each other: it has room for all.
CONNECT_S = 3.0
Result = TypeVar("Result")


class Surplus(Exception):
    """No thread is free, and none will be soon."""


class Threads:
    """A fixed number of threads, and a queue before them."""

    def __init__(self, name: str, count: int) -> None:
        self._executor = ThreadPoolExecutor(count, thread_name_prefix=name)
        self._free = asyncio.Semaphore(count)
        self._waiting = 0

    async def run(self, work: Callable[[], Result]) -> Result:
        """Return what the work returns, from one of the threads. Raise Surplus."""
        if self._free.locked() and self._waiting >= settings.REQUESTS_WAITING:
            raise Surplus
        self._waiting += 1
        try:
            async with asyncio.timeout(settings.REQUEST_WAIT_S):
                await self._free.acquire()
        except TimeoutError:
            raise Surplus from None
        finally:
            self._waiting -= 1
        try:
            return await sync_to_async(work, thread_sensitive=False, executor=self._executor)()
        finally:
            self._free.release()


def use_pool(database: dict[str, Any]) -> None:
    """Set a pool of connections for the threads of this process, with one for each.

    Call it before Django opens a connection. SQLite needs none.
    """
    if not database["ENGINE"].endswith("postgresql"):
        return
    most = settings.REQUESTS_AT_ONCE + OPERATORS_AT_ONCE
    database["OPTIONS"]["pool"] = {
        "min_size": min(2, most),
        "max_size": most,
        "timeout": CONNECT_S,
        "reconnect_timeout": CONNECT_S,  # then the next request tries: it pauses ever longer
    }
