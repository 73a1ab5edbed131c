import asyncio
import threading
from typing import Any

import pytest
from django.conf import settings as site

from arena.server.handler import BoundedHandler
from arena.server.threads import OPERATORS_AT_ONCE, Surplus, Threads, use_pool


def test_requests_work_and_wait_up_to_thread_limits(settings):
    settings.REQUESTS_WAITING, settings.REQUEST_WAIT_S = 2, 600
    may_end = threading.Event()

    async def ask():
        threads = Threads("tested", 2)
        asked = [asyncio.create_task(threads.run(may_end.wait)) for _ in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Surplus):
            await threads.run(may_end.wait)
        may_end.set()
        first = await asyncio.gather(*asked)
        return [*first, await threads.run(may_end.wait)]

    assert asyncio.run(ask()) == [True] * 5


def test_request_that_waited_too_long_becomes_surplus(settings):
    settings.REQUESTS_WAITING, settings.REQUEST_WAIT_S = 1, 0.01
    may_end = threading.Event()

    async def ask():
        threads = Threads("tested", 1)
        works = asyncio.create_task(threads.run(may_end.wait))
        await asyncio.sleep(0)
        for _ in range(3):
            with pytest.raises(Surplus):
                await threads.run(may_end.wait)
        may_end.set()
        return await works, await threads.run(may_end.wait)

    assert asyncio.run(ask()) == (True, True)


def test_work_that_fails_gives_its_thread_back():
    async def ask():
        threads = Threads("tested", 1)
        with pytest.raises(ZeroDivisionError):
            await threads.run(lambda: 1 / 0)
        return await threads.run(lambda: "done")

    assert asyncio.run(ask()) == "done"


def test_process_with_busy_threads_says_it_is_alive(settings):
    """With no place to wait, an answer that needs a thread is refused at once."""
    settings.REQUESTS_WAITING = 0
    may_end = threading.Event()

    async def ask(handler, path):
        sent = []

        async def receive():
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message):
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": path, "headers": [], "query_string": b""}
        await handler(scope, receive, send)
        return sent[0]["status"], sent[-1]["body"]

    async def answers():
        handler = BoundedHandler()
        threads = [*[handler._visitors] * site.REQUESTS_AT_ONCE]
        threads += [handler._operators] * OPERATORS_AT_ONCE
        works = [asyncio.create_task(each.run(may_end.wait)) for each in threads]
        await asyncio.sleep(0)
        found = [await ask(handler, path) for path in ("/", "/readyz", "/healthz")]
        may_end.set()
        await asyncio.gather(*works)
        return found

    visitor, ready, alive = asyncio.run(answers())

    assert (visitor[0], ready[0]) == (503, 503)
    assert alive == (200, b'{"status": "ok"}')


def test_pool_has_connection_per_thread_but_sqlite_none():
    postgres: dict[str, Any] = {"ENGINE": "django.db.backends.postgresql", "OPTIONS": {}}
    sqlite: dict[str, Any] = {"ENGINE": "django.db.backends.sqlite3", "OPTIONS": {}}

    use_pool(postgres)
    use_pool(sqlite)

    assert postgres["OPTIONS"]["pool"]["max_size"] == site.REQUESTS_AT_ONCE + OPERATORS_AT_ONCE
    assert "pool" not in sqlite["OPTIONS"]
