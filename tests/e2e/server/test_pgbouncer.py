"""The site behind a PgBouncer that lends connections for one transaction, as the manual says."""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import psycopg
import pytest

from arena.embedded.tcp import LOOPBACK, free_port, listens
from tests.e2e.server.serving import Server, environment
from tests.tree import ROOT, text
from tests.waiting import until
from tools.services.packages import PGBOUNCER, path_of

NAME = "behind_pgbouncer"
LENT = 2  # connections
PAGE = text("docs/how-to/run-on-kubernetes.md")
(QUERY,) = re.findall(r"Add `(\?\S+)` to the URLs", PAGE)
(IGNORE,) = re.findall(r"`(ignore_startup_parameters = .*?)`", PAGE)
ROLE = re.findall(r"^ *ALTER ROLE drapeau SET .*;$", PAGE, re.MULTILINE)
EVENTS = """
from arena.domain.ratings import refits
from arena.domain.ratings.recomputation import rerate
from tests import database_role, factories

database_role.make()
mine, other = factories.make_ready(), factories.make_ready()
for _ in range(3):
    factories.play_out(factories.make_match(mine, other), [1.0, 0.0])
refits.refresh_due()
ladder = factories.get_ladder()
assert rerate(ladder=ladder) == []
"""
CONFIG = """
[databases]
* = host={host} port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
auth_type = plain
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = {lent}
{ignore}
unix_socket_dir =
"""


@pytest.fixture(scope="module")
def direct():
    """The address of a database in PostgreSQL itself, with the role's limits of the manual."""
    url = os.environ["DRAPEAU_TEST_POSTGRES_URL"]
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {NAME}")
        for sentence in ROLE:
            server.execute(sentence.replace("drapeau SET", f"drapeau IN DATABASE {NAME} SET"))
    yield urlsplit(url)._replace(path=f"/{NAME}").geturl()
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


@pytest.fixture(scope="module")
def lent(direct):
    """The address of the same database through PgBouncer, which refuses to be root."""
    at, own = urlsplit(direct), free_port()
    with tempfile.TemporaryDirectory(prefix="drapeau-pgbouncer-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "users").write_text(f'"{at.username}" "{at.password}"\n')
        config = CONFIG.format(
            host=at.hostname, port=at.port, own=own, folder=folder, lent=LENT, ignore=IGNORE
        )
        (folder / "config").write_text(config)
        command: list[str | Path] = [path_of(PGBOUNCER), folder / "config"]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
        until(lambda: listens(own), "PgBouncer listens")
        netloc = f"{at.username}:{at.password}@{LOOPBACK}:{own}"
        yield at._replace(netloc=netloc).geturl() + QUERY
        process.terminate()
        process.wait(60)


def run(folder, url, *words):
    done = subprocess.run(
        (sys.executable, "manage.py", *words),
        check=False,
        cwd=ROOT,
        env=environment(folder, DATABASE_URL=url),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def site(direct, lent, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    run(folder, direct, "migrate", "--no-input", "--verbosity", "0")
    run(folder, lent, "shell", "--no-imports", "--verbosity", "0", "-c", EVENTS)
    # On a busy machine a request may wait for long.
    server = Server(folder, DATABASE_URL=lent, DRAPEAU_REQUEST_WAIT_S="60")
    yield server
    server.end()


def test_many_requests_share_few_connections(site, direct):
    paths = ["/bots/", "/ladders/classic/", "/matches/", "/api/v1/matches", "/readyz"] * 8

    with ThreadPoolExecutor(20) as visitors:
        answers = list(visitors.map(lambda path: httpx2.get(site.url + path, timeout=60), paths))

    assert {answer.status_code for answer in answers} == {200}, site.log.read_text()
    with psycopg.connect(direct) as server:
        held = server.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
            [NAME],
        ).fetchall()
    assert 1 <= len(held) <= LENT


def test_the_settings_of_the_role_hold_there(lent):
    with psycopg.connect(lent.removesuffix(QUERY)) as caller:
        lock_timeout = caller.execute("SHOW lock_timeout").fetchone()
        idle_timeout = caller.execute("SHOW idle_in_transaction_session_timeout").fetchone()
        jit = caller.execute("SHOW jit").fetchone()

    assert (lock_timeout, idle_timeout, jit) == (("10s",), ("2min",), ("off",))
