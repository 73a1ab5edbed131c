"""More visitors at once than the web server has threads, before a database that does not answer."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.parse import urlsplit

import httpx2
import psycopg
import pytest

from arena.server.threads import OPERATORS_AT_ONCE
from tests.e2e.server.serving import ENOUGH_S, Server, environment
from tests.tree import ROOT
from tests.waiting import until

THREADS, WAITING, CROWD = 2, 4, 30
FEW = {
    "DRAPEAU_REQUESTS_AT_ONCE": str(THREADS),
    "DRAPEAU_REQUESTS_WAITING": str(WAITING),
    "DRAPEAU_REQUEST_WAIT_S": "1",
}
NAME = "crowded"
PAGE, API = "/ladders/", "/api/v1/ladders"
BIG_FILE = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
DEAF = f"GET {BIG_FILE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
STALLED = b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx"
SCRAPE = "a token for the metrics"
COUNT = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND pid <> ALL(%s)"


@pytest.fixture(scope="module")
def database():
    """The address of a database with the tables of the site, where locks are waited for."""
    server = os.environ["DRAPEAU_TEST_POSTGRES_URL"]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {NAME}")
    patience = "options=-c%20lock_timeout%3D10min"
    yield urlsplit(server)._replace(path=f"/{NAME}", query=patience).geturl()
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


@pytest.fixture(scope="module")
def server(tmp_path_factory, database):
    folder = tmp_path_factory.mktemp("site")
    variables = {"DATABASE_URL": database, "DRAPEAU_METRICS_TOKEN": SCRAPE, **FEW}
    migrate = (sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0")
    subprocess.run(migrate, check=True, cwd=ROOT, env=environment(folder, **variables))
    server = Server(folder, **variables)
    yield server
    server.end()


@contextmanager
def locked(database):
    """Hold every page that lists ladders; yield how many connections the site has meanwhile."""
    # Within a transaction, PostgreSQL gives the same activities again: who counts is not in it.
    with psycopg.connect(database) as locking, psycopg.connect(database, autocommit=True) as asking:
        locking.execute("LOCK TABLE arena_ladder IN ACCESS EXCLUSIVE MODE")
        own = [each.info.backend_pid for each in (locking, asking)]
        yield lambda: next(asking.execute(COUNT, [NAME, own]))[0]


def get(server, path, **headers):
    return httpx2.get(f"{server.url}{path}", timeout=ENOUGH_S, headers=headers)


def refused_so_far(server):
    """Return how many requests the server says that it had no room for."""
    scraped = get(server, "/metrics", Authorization=f"Bearer {SCRAPE}").text
    (count,) = re.findall(r'refused_total\{reason="requests_full"\} (\S+)', scraped) or ["0"]
    return float(count)


def test_surplus_retries_later_and_database_connections_stay_few(server, database):
    before = refused_so_far(server)
    with ThreadPoolExecutor(CROWD) as crowd:
        with locked(database) as connections:
            asked = [crowd.submit(get, server, (PAGE, API)[n % 2]) for n in range(CROWD)]
            until(
                lambda: sum(one.done() for one in asked) == CROWD - THREADS, "the surplus is told"
            )
            refused = [one.result() for one in asked if one.done()]
            alive = get(server, "/healthz")
            until(lambda: connections() >= THREADS, "the others wait in the database")
            most = connections()
        served = [one.result() for one in asked if one.result() not in refused]

    assert {(answer.status_code, answer.headers["Retry-After"]) for answer in refused} == {
        (503, "5")
    }
    texts = {answer.headers["Content-Type"]: answer.text for answer in refused}
    assert set(texts) == {"application/problem+json", "text/html; charset=utf-8"}
    assert '"code": "unavailable"' in texts["application/problem+json"]
    assert "Too many visitors" in texts["text/html; charset=utf-8"]
    assert alive.status_code == 200
    assert [answer.status_code for answer in served] == [200] * THREADS
    assert most <= THREADS + OPERATORS_AT_ONCE
    assert get(server, PAGE).status_code == 200
    assert refused_so_far(server) - before == CROWD - THREADS
    assert "Traceback" not in server.log.read_text()


def test_slow_clients_hold_no_thread(server):
    for _ in range(3 * THREADS):
        server.connect(STALLED)
        server.connect(DEAF, window=4096)
    # Until their answers are made, those who do not read are as many as may wait.
    until(lambda: get(server, PAGE).status_code == 200, "there is room again")

    answers = [get(server, PAGE).status_code for _ in range(3)]

    server.hang_up()
    assert answers == [200] * 3
