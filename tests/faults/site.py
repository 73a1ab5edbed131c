"""The programs of a whole site, as compose.yaml has them, over stores of its own."""

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from tools.services.stores import postgres, redis
from tools.supervise import Program
from tools.tcp import LOOPBACK, free_port

LEASE_S = 8  # what a dead runner held waits no longer
RUNNERS = ("runner-1", "runner-2")  # two hosts on one, each with a run directory
FOREIGN = ("DRAPEAU_LAUNCHER", "DRAPEAU_RUN_DIR", "DOCKER_HOST", "DATABASE_URL")


@dataclass(frozen=True)
class Site:
    """What runs, in the order of starting, and where to find it."""

    folder: Path
    port: int
    stores: tuple[Program, ...]
    programs: tuple[Program, ...]
    environment: dict[str, str]
    ports: dict[str, int]  # of the stores

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def sandboxed(self) -> tuple[Program, ...]:
        """Return the programs that clear up at their start what earlier ones have left."""
        return tuple(each for each in self.programs if each.name in ("launcher", *RUNNERS))

    @property
    def runners(self) -> tuple[Program, ...]:
        return tuple(each for each in self.programs if each.name in RUNNERS)

    def run_dirs(self) -> list[Path]:
        return [self.folder / name / "run" for name in RUNNERS]


def on_sqlite(folder: Path, app: str) -> Site:
    """Return the embedded default: one file, messages in folders, bots as plain processes."""
    environment = _environment(folder) | {
        "DRAPEAU_ISOLATION": "process",
        "DRAPEAU_TRUST_BOTS": "1",
        "DRAPEAU_BROKER_URL": "filesystem://localhost",
    }
    return _site(folder, environment, app, stores=(), ports={})


def on_postgres(folder: Path, app: str, docker_host: str) -> Site:
    """Return production: PostgreSQL, Redis, a launcher for one runner, Docker for the other."""
    # An answered commit survives the end of the server's processes, as in production.
    database, database_port, url = postgres(folder / "postgres", "synchronous_commit=on")
    broker, broker_port, broker_url = redis(folder / "redis")
    environment = _environment(folder) | {
        "DATABASE_URL": url,
        "DRAPEAU_BROKER_URL": broker_url,
        "DRAPEAU_ISOLATION": "docker",
        "DOCKER_HOST": docker_host,
    }
    ports = {"postgres": database_port, "redis": broker_port}
    return _site(folder, environment, app, stores=(database, broker), ports=ports)


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return kept | {
        "DJANGO_SETTINGS_MODULE": "arena.settings",
        "DRAPEAU_DATA_DIR": str(folder / "data"),
        "DRAPEAU_LEASE_S": str(LEASE_S),
        "DRAPEAU_RESEND_AFTER_S": "5",
        "DRAPEAU_SETTLED_PAUSE_S": "0",
        "DRAPEAU_WARM_CONTAINERS": "1",
        "DRAPEAU_DOCKER_RUNTIME": "runc",  # gVisor costs time, and is not what is tested here
        "DRAPEAU_LOG_FORMAT": "console",
        "PYTHONUNBUFFERED": "1",
    }


def _site(
    folder: Path,
    environment: dict[str, str],
    app: str,
    *,
    stores: tuple[Program, ...],
    ports: dict[str, int],
) -> Site:
    port = free_port()
    web = ("-m", "arena.server", "--host", LOOPBACK, "--port", str(port))
    beat = ("beat", "--pidfile=")
    made = [
        _program(folder, environment, "web", *web),
        _celery(folder, environment, app, "worker", "worker", "-Q", "default", "-c", "1"),
        _celery(folder, environment, app, "beat", *beat),
        *(
            _with(_runner(folder, environment, app, name), **_place(folder, name))
            for name in RUNNERS
        ),
    ]
    if stores:
        launcher = _launcher(folder, environment)
        made.insert(0, _with(launcher, **_place(folder, "runner-1")))
        made[-2] = _with(made[-2], DRAPEAU_LAUNCHER=_socket(folder))
    return Site(folder, port, stores, tuple(made), environment, ports)


def _runner(folder: Path, environment: dict[str, str], app: str, name: str) -> Program:
    return _celery(folder, environment, app, name, "worker", "-Q", "matches", "-c", "1")


def _launcher(folder: Path, environment: dict[str, str]) -> Program:
    socket = _socket(folder).removeprefix("unix://")
    command = ("-m", "sandbox", "launcher", "--socket", socket)
    return _program(folder, environment, "launcher", *command)


def _place(folder: Path, name: str) -> dict[str, str]:
    run_dir = folder / name / "run"
    run_dir.mkdir(parents=True, exist_ok=True)
    for path in (run_dir.parent, run_dir):
        path.chmod(0o711)
    return {"DRAPEAU_RUN_DIR": str(run_dir)}


def _celery(
    folder: Path, environment: dict[str, str], app: str, name: str, *command: str
) -> Program:
    role, *options = command
    named = ("-n", f"{name}@%h") if role == "worker" else ()
    said = ("--loglevel", "INFO")
    arguments = ("-m", "celery", "-A", app, "--quiet", role, *named, *options, *said)
    return _program(folder, environment, name, *arguments)


def _program(folder: Path, environment: dict[str, str], name: str, *arguments: str) -> Program:
    log = folder / "logs" / f"{name}.log"
    return Program(name, (sys.executable, *arguments), log, environment, stop_s=60.0)


def _with(program: Program, **variables: str) -> Program:
    return replace(program, env={**program.env, **variables})


def _socket(folder: Path) -> str:
    return f"unix://{folder}/launcher.sock"
