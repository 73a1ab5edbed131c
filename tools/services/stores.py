"""A private PostgreSQL and a private Redis that hold nothing worth keeping: no disk syncs."""

import os
import pwd
import secrets
import shutil
import subprocess
from pathlib import Path

from arena.embedded.supervise import ServiceProgram, Supervisor
from arena.embedded.tcp import free_port, listens
from tools.services.packages import POSTGRES, REDIS, Missing, path_of

_READY_S = 60.0
_POSTGRES_USER = "postgres"  # made by Debian's package; a server refuses to be root


def start_postgres(supervisor: Supervisor, folder: Path) -> str:
    """Start a server with its data in `folder` and give the URL of an empty database."""
    program, port, url = postgres(folder)
    supervisor.start(program)
    supervisor.wait_until(program, lambda: listens(port), within_s=_READY_S)
    return url


def postgres(folder: Path, *more_settings: str) -> tuple[ServiceProgram, int, str]:
    """Make an empty cluster in `folder`; give its server, its port and the URL of a database.

    Of two settings for one thing the later one holds.
    """
    server = path_of(POSTGRES)
    user = _POSTGRES_USER if os.geteuid() == 0 else ""
    password, port = secrets.token_urlsafe(16), free_port()
    folder.mkdir(mode=0o700)
    secret = folder / "password"
    secret.write_text(password)
    if user:
        entry = pwd.getpwnam(user)
        for path in (folder, secret):
            os.chown(path, entry.pw_uid, entry.pw_gid)
    done = subprocess.run(
        [
            *(str(server.with_name("initdb")), "-D", str(folder / "data"), "-U", "drapeau"),
            "--encoding=UTF8",
            *("--locale=C.UTF-8", "--no-sync", "--auth=scram-sha-256", f"--pwfile={secret}"),
        ],
        check=False,
        cwd=folder,
        user=user or None,
        group=user or None,
        extra_groups=[] if user else None,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise Missing(f"initdb failed: {done.stdout}{done.stderr}")
    settings = (
        *("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=60"),
        "jit=off",  # statements of tests are short: to compile one takes longer than to run it
    )
    program = ServiceProgram(
        name="postgres",
        argv=(
            str(server),
            *("-D", str(folder / "data"), "-k", str(folder), "-h", "127.0.0.1", "-p", str(port)),
            *(word for setting in (*settings, *more_settings) for word in ("-c", setting)),
        ),
        log=folder.with_suffix(".log"),
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(folder)},
        user=user,
    )
    return program, port, f"postgres://drapeau:{password}@127.0.0.1:{port}/postgres"


def start_redis(supervisor: Supervisor, folder: Path) -> str:
    """Start a server that writes nothing and give its URL."""
    program, port, url = redis(folder)
    supervisor.start(program)
    supervisor.wait_until(program, lambda: listens(port), within_s=_READY_S)
    return url


def redis(folder: Path) -> tuple[ServiceProgram, int, str]:
    """Make the folder of a server that writes nothing; give it, its port and its URL."""
    folder.mkdir(mode=0o700)
    port = free_port()
    program = ServiceProgram(
        name="redis",
        argv=(
            str(path_of(REDIS)),
            *("--bind", "127.0.0.1", "--port", str(port), "--dir", str(folder)),
            *("--save", "", "--appendonly", "no"),
        ),
        log=folder.with_suffix(".log"),
        env=dict(os.environ),
    )
    return program, port, f"redis://127.0.0.1:{port}/0"


def remove(folder: Path) -> None:
    """Remove a folder that servers under other users wrote into."""
    shutil.rmtree(folder, ignore_errors=True)
