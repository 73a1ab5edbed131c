"""The site of the demo: its folder, its port, its processes."""

import fcntl
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2

from engine.protocol import PlatformFault
from sandbox.levels.isolation import Isolation, reap
from sandbox.refusal import IsolationUnavailable
from tools.demo.refusal import DemoFailed
from tools.supervise import Program, Supervisor, end_leftovers
from tools.tcp import LOOPBACK, free_port, listening_socket

_READY_S = 90.0
_WEB_STOP_S = 8.0  # the server gives open requests 5
_WORKER_STOP_S = 8.0  # a game that is not over by then is played again after the next start
_FOREIGN = ("DATABASE_URL", "DRAPEAU_BROKER_URL", "DJANGO_SETTINGS_MODULE", "DRAPEAU_RUN_DIR")


@contextmanager
def only_one(data_dir: Path, url: str) -> Iterator[None]:
    """Hold the folder for this process; the kernel lets go of it when we die. Raise DemoFailed."""
    with (data_dir / "demo.lock").open("a+", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise DemoFailed(
                f"a demo is running on {data_dir} already ({lock.read().strip()}). End that "
                "one with Ctrl-C, or give this one a folder and a port of its own: "
                f"make demo ARGS='--data {data_dir}-2 --port {free_port()}'"
            ) from None
        lock.truncate(0)
        lock.write(f"process {os.getpid()}, {url}")
        lock.flush()
        yield


def take_port(port: int) -> socket.socket:
    """Return a listening socket; raise DemoFailed when somebody else has the port."""
    try:
        return listening_socket(port)
    except OSError as problem:
        raise DemoFailed(
            f"port {port} cannot be used: {problem.strerror}. Choose another one: "
            f"make demo ARGS='--port {free_port()}'"
        ) from problem


def environment(data_dir: Path, *, isolation: str, trust_bots: bool) -> dict[str, str]:
    """Return the variables of every process of the site: the embedded default in one folder."""
    kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    return {
        **kept,
        "DJANGO_SETTINGS_MODULE": "arena.settings",
        "DRAPEAU_DATA_DIR": str(data_dir),
        "DRAPEAU_ISOLATION": isolation,
        "DRAPEAU_TRUST_BOTS": "1" if trust_bots else "0",
        "DRAPEAU_LOG_FORMAT": "console",
        "PYTHONUNBUFFERED": "1",
    }


def migrate(data_dir: Path, env: dict[str, str]) -> None:
    """Bring the database up to date; raise DemoFailed with the log's end."""
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "1"],
        check=False,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    log = data_dir / "logs" / "migrate.log"
    log.parent.mkdir(exist_ok=True)
    log.write_text(done.stdout, encoding="utf-8")
    if done.returncode != 0:
        raise DemoFailed(f"the database could not be made; its log is {log}\n{done.stdout[-2000:]}")


def programs(data_dir: Path, listener: int, env: dict[str, str]) -> tuple[Program, ...]:
    """Return the web server, the worker that is also beat, and the runner.

    The runner is on its own, so that a queue full of matches never keeps housekeeping waiting.
    """
    logs = data_dir / "logs"
    web = Program(
        name="web",
        argv=(sys.executable, "-m", "arena.server", "--fd", str(listener)),
        log=logs / "web.log",
        env=env,
        stop_s=_WEB_STOP_S,
        fds=(listener,),
    )
    return web, *(
        Program(
            name=name,
            argv=(
                *(sys.executable, "-m", "celery", "-A", "arena", "--quiet", "worker"),
                *("-n", f"{name}@%h", "--loglevel", "INFO", *options),
            ),
            log=logs / f"{name}.log",
            env=env,
            stop_s=_WORKER_STOP_S,
        )
        for name, options in (
            ("worker", ("-B", "-Q", "default", "-c", "1")),
            ("runner", ("-Q", "matches", "-c", str(os.cpu_count() or 1))),
        )
    )


def mark_of(data_dir: Path) -> str:
    """Name the demo on this folder to the supervisor, the same at every start."""
    return f"demo {data_dir}"


def start(
    supervisor: Supervisor, *, data_dir: Path, listener: socket.socket, env: dict[str, str]
) -> None:
    """Start everything and wait until the site says that it is ready; raise GaveUp."""
    web, *workers = programs(data_dir, listener.fileno(), env)
    for program in (web, *workers):
        supervisor.start(program)
    ready = f"{url_of(listener.getsockname()[1])}/readyz"
    supervisor.wait_until(web, lambda: _answers_ok(ready), within_s=_READY_S)


def url_of(port: int) -> str:
    return f"http://{LOOPBACK}:{port}"


def _answers_ok(url: str) -> bool:
    try:
        return httpx2.get(url, timeout=2.0).status_code == httpx2.codes.OK
    except httpx2.TransportError:
        return False


@contextmanager
def nothing_left(data_dir: Path, isolation: Isolation) -> Iterator[None]:
    """Clear at the end what bots leave behind if their runner has to be killed.

    Without an engine nothing of it can be cleared: then the next start does so.
    """
    run_dir = data_dir / "run"
    run_dir.mkdir(exist_ok=True)
    try:
        yield
    finally:
        with suppress(IsolationUnavailable, PlatformFault):
            reap(isolation=isolation, work_dir=run_dir)


def end_the_dead_ones_children(data_dir: Path) -> int:
    """End what a demo on this folder left behind when it was killed; returns how many."""
    return end_leftovers(mark_of(data_dir))
