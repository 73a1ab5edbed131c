"""A Docker engine: the one that answers, else a private one that leaves the host's network be."""

import fcntl
import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.embedded.supervise import ServiceProgram, Supervisor
from tools.services.newer_debian import cache_dir, unpacked
from tools.services.packages import DOCKER, DOCKERD, GVISOR, path_of

_MAJOR_VERSION = 26  # of the engine, or later
_CONFIGURATION = Path("/etc/docker/daemon.json")
_READY_S = 60.0
_ANSWER_S = 20.0
_UNNAMED_KEPT_FOR = "168h"  # younger images without a name may still spare the next build a step


def answers(host: str | None) -> bool:
    """Return whether an engine answers at `host` (None: the Docker client's default)."""
    client = DOCKER.find()
    if client is None:
        return False
    try:
        done = subprocess.run(
            [str(client), "version", "--format", "{{.Server.Version}}"],
            check=False,
            env={**os.environ, **({"DOCKER_HOST": host} if host else {})},
            capture_output=True,
            timeout=_ANSWER_S,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def dockerd() -> tuple[str, dict[str, str]]:
    """Return the engine to start and its environment. Raise Missing.

    It is the machine's own, or that of a newer Debian where this is older. Either starts containers
    with the machine's runc.
    """
    own = path_of(DOCKERD)
    text = subprocess.run([own, "--version"], check=True, capture_output=True, text=True).stdout
    version = re.search(r"version (\d+)\.", text)
    if version and int(version[1]) >= _MAJOR_VERSION:
        return str(own), dict(os.environ)
    folders = [unpacked("docker.io", "containerd") / part for part in ("usr/sbin", "usr/bin")]
    path = os.pathsep.join([*map(str, folders), os.environ.get("PATH", os.defpath)])
    return str(folders[0] / "dockerd"), {**os.environ, "PATH": path}


@contextmanager
def engine(folder: Path) -> Iterator[str]:
    """Yield the DOCKER_HOST of an engine, "" meaning the usual place.

    A private engine keeps its images in `cache_dir()`, one run at a time.
    """
    given = os.environ.get("DOCKER_HOST")
    if answers(given):
        yield given or ""
        return
    data = cache_dir() / "engine"
    data.mkdir(parents=True, exist_ok=True)
    with data.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(
                "services: another run uses the private Docker engine; waiting for it", flush=True
            )
            fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            with Supervisor(f"docker {folder}") as supervisor:
                yield start(supervisor, folder, data)
        finally:
            unmount_all(folder)


def unmount_all(folder: Path) -> None:
    """Unmount what an engine leaves mounted when it ends: the network of the host, for one."""
    mounts = [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
    for mount in reversed(mounts):
        if Path(mount).is_relative_to(folder):
            subprocess.run(["umount", mount], check=False)


def start(supervisor: Supervisor, folder: Path, data: Path) -> str:
    """Start an engine with its socket in `folder` and its images in `data`. Return its address.

    Call `unmount_all` when the supervisor has ended it.
    """
    folder.mkdir(mode=0o700)
    host = f"unix://{folder}/docker.sock"
    path, environment = dockerd()
    program = ServiceProgram(
        name="dockerd",
        argv=(
            *(path, "--host", host, "--data-root", str(data)),
            *("--exec-root", str(folder / "exec"), "--pidfile", str(folder / "pid")),
            # Networks that a compose file asks for work without either: containers reach each other
            # over a bridge of their own, and published ports go through the userland proxy.
            *("--bridge", "none", "--iptables=false", "--ip6tables=false"),
            *("--ip-forward=false", "--ip-masq=false"),
            *gvisor(folder),
        ),
        log=folder.with_suffix(".log"),
        env=environment,
        stop_s=30.0,
    )
    supervisor.start(program)
    supervisor.wait_until(program, lambda: answers(host), within_s=_READY_S)
    # Containers of a run that was killed may restart.
    docker = (str(path_of(DOCKER)), "--host", host)
    listed = subprocess.run((*docker, "ps", "-aq"), check=True, capture_output=True, text=True)
    if stale := listed.stdout.split():
        print(f"services: removing {len(stale)} containers of a run that was killed", flush=True)
        subprocess.run((*docker, "rm", "-fv", *stale), check=True, capture_output=True)
    for what in ("network", "volume"):
        subprocess.run((*docker, what, "prune", "-f"), check=True, capture_output=True)
    old = ("--filter", f"until={_UNNAMED_KEPT_FOR}")
    subprocess.run((*docker, "image", "prune", "-f", *old), check=True, capture_output=True)
    return host


def gvisor(folder: Path) -> tuple[str, ...]:
    """Return the options of dockerd that declare gVisor as `runsc`, beside its own runtime.

    `folder` keeps a script: on the command line, dockerd takes a runtime without arguments only.
    Return none if the machine's own configuration declares runtimes: dockerd refuses both.
    """
    if _CONFIGURATION.exists() and "runtimes" in json.loads(_CONFIGURATION.read_text() or "{}"):
        return ()
    script = folder / "runsc"
    script.write_text(f'#!/bin/sh\nexec {path_of(GVISOR)} --network=none --host-uds=open "$@"\n')
    script.chmod(0o755)
    return "--add-runtime", f"runsc={script}"
