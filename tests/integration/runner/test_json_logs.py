"""Every line that a service of the image writes is a JSON object, from its start to its end."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest

from arena.embedded.tcp import LOOPBACK, free_port
from tests.tree import ROOT

ENOUGH_S = 120
FOREIGN = ("DRAPEAU_", "DATABASE_URL", "DJANGO_", "DOCKER_")
CELERY = ("-m", "celery", "-A", "arena", "--quiet")
WORKER = (*CELERY, "worker", "--loglevel", "INFO", "-c", "1")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return tmp_path_factory.mktemp("site")


@pytest.fixture
def start(site):
    """Return a function that starts a service, which does not outlive the test."""
    started = []

    def start(*command, **variables):
        started.append(Service(site, *command, **variables))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()


class Service:
    """A program as the image starts it, without Docker and with a folder for its data."""

    def __init__(self, site, *command, **variables):
        kept = {name: text for name, text in os.environ.items() if not name.startswith(FOREIGN)}
        self.log = site / "log"
        env = kept | {
            "DRAPEAU_DATA_DIR": str(site),
            "DRAPEAU_LOG_FORMAT": "json",
            "DRAPEAU_ISOLATION": "process",
            "DRAPEAU_RUN_DIR": str(site / "run"),
            "DOCKER_HOST": "unix:///nowhere/docker.sock",
        }
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                (sys.executable, *command), cwd=ROOT, env=env | variables, stdout=log, stderr=log
            )

    def wait_for(self, condition):
        until_s = time.monotonic() + ENOUGH_S
        while not condition():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < until_s, self.log.read_text()
            time.sleep(0.05)

    def has_forked(self):
        pid = self.process.pid
        return Path(f"/proc/{pid}/task/{pid}/children").read_text() != ""

    def end(self):
        """End it as `docker compose stop` does. Return its log, line by line."""
        self.process.terminate()
        self.process.wait(ENOUGH_S)
        return self.lines()

    def lines(self):
        read = [json.loads(line) for line in self.log.read_text().splitlines()]
        assert all({"event", "level", "logger", "timestamp"} <= line.keys() for line in read)
        return read


def events(lines):
    return [line["event"] for line in lines]


@pytest.mark.slow
def test_failed_preparation_logs_error_that_ends_process(start):
    gone = start("manage.py", "prepare_database", DATABASE_URL="postgres://x:y@127.0.0.1:1/nowhere")
    assert gone.process.wait(ENOUGH_S) == 1

    (line,) = [line for line in gone.lines() if line["level"] == "critical"]
    assert line["event"] == "process_failed"
    assert "OperationalError" in line["exception"]


@pytest.mark.slow
def test_the_web_server(start):
    port = free_port()
    web = start("-m", "arena.server", "--port", str(port), DATABASE_URL="sqlite:////nowhere")

    def ask(path):
        try:
            return httpx2.get(f"http://{LOOPBACK}:{port}{path}", timeout=20).status_code
        except httpx2.TransportError:
            return None

    web.wait_for(lambda: ask("/healthz") == 200)
    assert (ask("/queue/"), ask("/readyz")) == (503, 503)

    assert any("OperationalError" in line.get("exception", "") for line in web.end())


@pytest.mark.slow
def test_beat(start, site):
    beat = start(*CELERY, "beat", "--pidfile=", "--loglevel", "INFO")
    beat.wait_for(lambda: list(site.glob("beat-heartbeat")))

    beat.end()


@pytest.mark.slow
def test_the_runner(start):
    runner = start(*WORKER, "-Q", "matches")
    runner.wait_for(lambda: "runner_ready" in runner.log.read_text())
    runner.wait_for(runner.has_forked)

    assert "runner_ready" in events(runner.end())


def test_the_launcher(start, site):
    launcher = start("-m", "sandbox", "launcher", "--socket", str(site / "socket"))
    assert launcher.process.wait(ENOUGH_S) == 1

    (event,) = events(launcher.lines())
    assert "no engine answers" in event
