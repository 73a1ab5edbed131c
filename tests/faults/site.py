"""The programs of a whole site, as compose.yaml has them, over stores of its own."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.embedded.supervise import ServiceProgram
from arena.embedded.tcp import LOOPBACK, free_port
from tools.services.stores import postgres, redis

LEASE_S = 8  # what a dead runner held waits no longer
RUNNERS = ("runner-1", "runner-2")  # two hosts on one, each with a run directory
FOREIGN = ("DRAPEAU_LAUNCHER", "DRAPEAU_RUN_DIR", "DOCKER_HOST", "DATABASE_URL")


@dataclass(frozen=True)
class Site:
    """What runs, in the order of starting, and where to find it."""

    folder: Path
    port: int
    stores: tuple[ServiceProgram, ...]
    programs: tuple[ServiceProgram, ...]
    environment: dict[str, str]
    ports: dict[str, int]  # of the stores
    names: Sequence[str] = RUNNERS

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def sandboxed(self) -> tuple[ServiceProgram, ...]:
        """Return the programs that clear up at their start what earlier ones have left."""
        return tuple(each for each in self.programs if each.name in ("launcher", *self.names))

    @property
    def runners(self) -> tuple[ServiceProgram, ...]:
        return tuple(each for each in self.programs if each.name in self.names)

    def run_dirs(self) -> list[Path]:
        return [self.folder / name / "run" for name in self.names]


@dataclass(frozen=True)
class Host:
    """A host of one runner: its engine, and what stands before the command of each program."""

    docker_host: str
    prefix: tuple[str, ...]
    variables: Mapping[str, str] = field(default_factory=dict)


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
    site = _site(folder, environment, app, stores=(database, broker), ports=ports)
    launcher = _with(_launcher(folder, environment), **_place(folder, "runner-1"))
    *others, first, second = site.programs
    first = _with(first, DRAPEAU_LAUNCHER=_socket(folder))
    return replace(site, programs=(launcher, *others, first, second))


def on_hosts(folder: Path, app: str, address: str, hosts: Mapping[str, Host]) -> Site:
    """Return production with hosts that reach the stores at an address, each with its own key."""
    listening = f"listen_addresses={LOOPBACK},{address}"
    database, database_port, url = postgres(folder / "postgres", "synchronous_commit=on", listening)
    with (folder / "postgres/data/pg_hba.conf").open("a") as rules:
        rules.write(f"host all all {address}/24 scram-sha-256\n")
    broker, broker_port, broker_url = redis(folder / "redis")
    listening_too = ("--bind", LOOPBACK, address, "--protected-mode", "no")
    environment = _environment(folder) | {
        "DATABASE_URL": url.replace(LOOPBACK, address),
        "DRAPEAU_BROKER_URL": broker_url.replace(LOOPBACK, address),
        "DRAPEAU_ISOLATION": "docker",
    }
    site = _site(
        folder,
        environment,
        app,
        stores=(database, replace(broker, argv=(*broker.argv, *listening_too))),
        ports={"postgres": database_port, "redis": broker_port},
        names=(),
    )
    runners = [
        _with(
            replace(program, argv=(*hosts[name].prefix, *program.argv)),
            **_place(folder, name),
            DRAPEAU_DATA_DIR=str(folder / name / "data"),
            DOCKER_HOST=hosts[name].docker_host,
            **hosts[name].variables,
        )
        for name in hosts
        for program in [_runner(folder, environment, app, name)]
    ]
    return replace(site, programs=(*site.programs, *runners), names=tuple(hosts))


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
    stores: tuple[ServiceProgram, ...],
    ports: dict[str, int],
    names: Sequence[str] = RUNNERS,
) -> Site:
    port = free_port()
    web = ("-m", "arena.server", "--host", LOOPBACK, "--port", str(port))
    beat = ("beat", "--pidfile=")
    programs = (
        _program(folder, environment, "web", *web),
        _celery(folder, environment, app, "worker", "worker", "-Q", "default", "-c", "1"),
        _celery(folder, environment, app, "beat", *beat),
        *(_with(_runner(folder, environment, app, name), **_place(folder, name)) for name in names),
    )
    return Site(folder, port, stores, programs, environment, ports, names)


def _runner(folder: Path, environment: dict[str, str], app: str, name: str) -> ServiceProgram:
    return _celery(folder, environment, app, name, "worker", "-Q", "matches", "-c", "1")


def _launcher(folder: Path, environment: dict[str, str]) -> ServiceProgram:
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
) -> ServiceProgram:
    role, *options = command
    named = ("-n", f"{name}@%h") if role == "worker" else ()
    said = ("--loglevel", "INFO")
    arguments = ("-m", "celery", "-A", app, "--quiet", role, *named, *options, *said)
    return _program(folder, environment, name, *arguments)


def _program(
    folder: Path, environment: dict[str, str], name: str, *arguments: str
) -> ServiceProgram:
    log = folder / "logs" / f"{name}.log"
    return ServiceProgram(name, (sys.executable, *arguments), log, environment, stop_s=60.0)


def _with(program: ServiceProgram, **variables: str) -> ServiceProgram:
    return replace(program, env={**program.env, **variables})


def _socket(folder: Path) -> str:
    return f"unix://{folder}/launcher.sock"
