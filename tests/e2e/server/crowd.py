"""2,000 visitors at once before two web processes, and a database that allows 100 connections.

    python -m tools.services run -- python -m tests.e2e.server.crowd

prints what the visitors got, and what the database had to bear meanwhile. The status is 1 if a
visitor got anything but a page or a 503 with Retry-After, if a process had an error of the
database, or if a runner or an operator was refused a connection.
"""

import argparse
import asyncio
import re
import resource
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import psycopg

from arena.embedded.supervise import Supervisor
from arena.embedded.tcp import listens
from tests.e2e.server.serving import ENOUGH_S, Server, environment
from tests.e2e.server.visitors import PAGES, visit
from tests.tree import ROOT
from tools.services.stores import postgres, remove, start_redis

MAX_CONNECTIONS = 100
WEB_PROCESSES = 2
BOTS, MATCHES = 20, 40
OPEN_FILES = 8000  # of the visitors
LOOK_S = 0.5
QUICK_S = 5.0  # the median of a refusal, where everything shares two cores
TROUBLE = re.compile(
    r"OperationalError|InterfaceError|PoolTimeout|Traceback|FATAL:|start new thread"
)
STATES = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
RUNNER, PASSWORD = "arena_runner", "of-a-runner-in-the-crowd"


@dataclass
class Watch:
    """Somebody who opens connections as an operator and as a runner, and asks for the health."""

    url: str
    servers: list[Server]
    connections: int = 0  # the most at a time, without those of the watch
    threads: int = 0  # the most of one web process
    looks: int = 0
    failures: list[str] = field(default_factory=list)
    health_s: list[float] = field(default_factory=list)

    def look(self):
        runner = urlsplit(self.url)._replace(
            netloc=f"{RUNNER}:{PASSWORD}@{urlsplit(self.url).netloc.partition('@')[2]}"
        )
        with psycopg.connect(self.url) as operator:
            [(found,)] = operator.execute(STATES)
            self.connections = max(self.connections, found - 1)
        with psycopg.connect(runner.geturl()) as database:
            database.execute("SELECT count(*) FROM arena_match").fetchone()
        for server in self.servers:
            began_s = time.monotonic()
            answer = httpx2.get(f"{server.url}/healthz", timeout=ENOUGH_S)
            self.health_s.append(time.monotonic() - began_s)
            if answer.status_code != 200:
                self.failures.append(f"/healthz: {answer.status_code}")
            status = Path(f"/proc/{server.process.pid}/status").read_text()
            self.threads = max(self.threads, int(*re.findall(r"Threads:\s+(\d+)", status)))

    @contextmanager
    def beside(self):
        """Look again and again until the end of the block."""
        ended = threading.Event()

        def go_on():
            while not ended.wait(LOOK_S):
                self.looks += 1
                try:
                    self.look()
                except (psycopg.Error, httpx2.HTTPError) as exc:
                    self.failures.append(f"{type(exc).__name__}: {exc}".strip())

        thread = threading.Thread(target=go_on)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()


def prepare(folder, variables):
    """Make the tables, the role of runners, and some bots and matches to show."""
    given = environment(folder, **variables, DRAPEAU_RUNNER_DB_PASSWORD=PASSWORD)
    for command in (("migrate", "--no-input", "--verbosity", "0"), ("runner_role",)):
        subprocess.run((sys.executable, "manage.py", *command), check=True, cwd=ROOT, env=given)
    fill = (sys.executable, "-m", "tests.e2e.server.crowd", "--fill")
    given["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    subprocess.run(fill, check=True, cwd=ROOT, env=given)


def fill():
    """Enter bots and finish matches between them."""
    import django  # noqa: PLC0415 - only the process that fills is one of the site

    django.setup()
    from tests.factories import make_ready  # noqa: PLC0415 - needs Django
    from tests.integration.web.played import finished_match  # noqa: PLC0415 - the same

    versions = [make_ready() for _ in range(BOTS)]
    for number in range(MATCHES):
        first, second = number % BOTS, (number + 1 + number // BOTS) % BOTS
        finished_match(versions[first], versions[second], rng_seed=number)


def measure(folder, seconds, visitors, seed):
    """Start everything, let the visitors in, and return what came of it."""
    with Supervisor(f"crowd {folder}") as supervisor:
        database, port, url = postgres(folder / "postgres", f"max_connections={MAX_CONNECTIONS}")
        supervisor.start(database)
        supervisor.wait_until(database, lambda: listens(port), within_s=ENOUGH_S)
        redis = start_redis(supervisor, folder / "redis")
        variables = {
            "DATABASE_URL": url,
            "DRAPEAU_BROKER_URL": redis,
            "DRAPEAU_CACHE_URL": redis.removesuffix("/0") + "/1",
        }
        prepare(folder, variables)
        servers = [Server(folder, **variables) for _ in range(WEB_PROCESSES)]
        watch = Watch(url, servers)
        try:
            with watch.beside():
                ports = [server.port for server in servers]
                answers = asyncio.run(visit(ports, visitors, seconds, seed))
            ready = [httpx2.get(f"{one.url}/readyz", timeout=ENOUGH_S).json() for one in servers]
        finally:
            for server in servers:
                server.end()
        logs = [server.log.read_text() for server in servers] + [database.log.read_text()]
    return answers, watch, ready, [line for log in logs for line in trouble_in(log)]


def say(words):
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def trouble_in(log):
    return [line for line in log.splitlines() if TROUBLE.search(line)]


def report(answers, watch, ready, trouble):
    """Print a table, and return a sentence for each goal that is missed."""
    refused_s, longest_s = answers.quantiles_s(503)
    good_s, longest_good_s = answers.quantiles_s(200)
    others = {each: n for each, n in answers.statuses.items() if each not in (200, 503)}
    rows = {
        "requests": answers.statuses.total(),
        "200": f"{answers.statuses[200]} (median {good_s:.2f} s, p99 {longest_good_s:.2f} s)",
        "503": f"{answers.statuses[503]} (median {refused_s:.2f} s, p99 {longest_s:.2f} s)",
        "503 without Retry-After": answers.without_retry_after,
        "other statuses": others or 0,
        "without an answer": dict(answers.broken) or 0,
        "most connections of the site": f"{watch.connections} of {MAX_CONNECTIONS}",
        "most threads of a process": watch.threads,
        "errors in logs": len(trouble),
        "looks of runner and operator": f"{watch.looks}, {len(watch.failures)} failed",
        "/healthz": f"at most {max(watch.health_s, default=0.0):.2f} s",
        "/readyz afterwards": ", ".join(found["status"] for found in ready),
    }
    for name, value in rows.items():
        say(f"{name:30} {value}")
    for line in [*trouble[:5], *watch.failures[:5]]:
        say(f"  {line}")
    say("Figures: " + ", ".join(f"{name} {value}" for name, value in rows.items()))
    missed = {
        "Something else than 200 and 503 was answered.": bool(others),
        "A refusal does not say when to come again.": answers.without_retry_after,
        "A page was never answered.": any(not answers.good[page] for page in PAGES),
        "Nobody was refused: the crowd was too small.": not answers.statuses[503],
        f"Half of the refusals took longer than {QUICK_S:.0f} s.": refused_s > QUICK_S,
        "A process had an error of the database.": trouble,
        "A runner, an operator or a health check was refused.": watch.failures,
        "Nobody looked during the run.": not watch.looks,
        "The site is not well afterwards.": any(one["status"] != "ok" for one in ready),
    }
    return [sentence for sentence, is_missed in missed.items() if is_missed]


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.server.crowd", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="(60)")
    parser.add_argument("--visitors", type=int, default=2000, help="(2000)")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="drawn")
    parser.add_argument("--fill", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.fill:
        fill()
        return 0
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, hard))
    folder = Path(tempfile.mkdtemp(prefix="drapeau-crowd-"))
    folder.chmod(0o711)
    try:
        missed = report(*measure(folder, given.seconds, given.visitors, given.seed))
    finally:
        remove(folder)
    for sentence in missed:
        say(f"MISSED: {sentence}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
