"""The site of compose.yaml, from images that were built here, on the engine of the tests."""

import fcntl
import json
import os
import secrets
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from rich.console import Console

from arena.embedded.tcp import free_port
from tests.tree import ROOT
from tools.demo import play
from tools.demo.api import Account
from tools.demo.play import Stage
from tools.services.compose import compose_command

IMAGES = Path(__file__).with_name("images")
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
BUILD_S = 900
BUSY_S = 600  # whatever is waited for, on a busy machine
BOTS = (("raider", "ann"), ("marshal", "bob"))  # of duels alone: fewer checks
LASTING = ("db", "broker", "web", "worker", "mail", "beat", "launcher", "runner")
PASSWORDS = (
    "DRAPEAU_DB_PASSWORD",
    "DRAPEAU_RUNNER_DB_PASSWORD",
    "DRAPEAU_BROKER_WEB_PASSWORD",
    "DRAPEAU_BROKER_WORKER_PASSWORD",
    "DRAPEAU_BROKER_BEAT_PASSWORD",
    "DRAPEAU_BROKER_RUNNER_PASSWORD",
)


@dataclass(frozen=True)
class Stack:
    """The running services of one compose project."""

    stage: Stage
    program: tuple[str, ...]
    project: str
    environment: dict[str, str]

    def compose(self, *arguments: str) -> str:
        command = [*self.program, "--project-name", self.project, *arguments]
        return _run(command, self.environment)

    def container(self, service: str) -> dict[str, Any]:
        """Return what the engine knows about the container of a service."""
        return self._inspect("container", f"{self.project}-{service}-1")

    def health(self) -> dict[str, str]:
        """Return what the health check of each lasting service says."""
        return {name: self.container(name)["State"]["Health"]["Status"] for name in LASTING}

    def process(self, service: str) -> int:
        """Return the first process of a service, as this machine numbers it."""
        return int(self.container(service)["State"]["Pid"])

    def run_inside(self, service: str, program: str) -> str:
        """Return what a Python program prints that runs in the container of a service."""
        command = ["docker", "exec", f"{self.project}-{service}-1", "python", "-c", program]
        return _run(command, self.environment)

    def bots(self) -> dict[str, int]:
        """Count the processes of every container that the launcher started; one waits for a bot."""
        mine = ("--filter", f"label=arena.run={self.environment['DRAPEAU_RUN_DIR']}")
        found = _run(["docker", "ps", "-q", *mine], self.environment).split()
        return {each: self._processes(each) for each in found}

    def _processes(self, container: str) -> int:
        command = ["docker", "top", container]
        listed = subprocess.run(
            command, check=False, env=self.environment, capture_output=True, text=True
        )
        return len(listed.stdout.splitlines()[1:])  # none of a container that has just ended

    def network(self, name: str) -> dict[str, Any]:
        return self._inspect("network", f"{self.project}_{name}")

    def _inspect(self, kind: str, name: str) -> dict[str, Any]:
        found: list[dict[str, Any]] = json.loads(
            _run(["docker", kind, "inspect", name], self.environment)
        )
        return found[0]

    def wait_until_ready(self) -> None:
        url = f"{self.stage.url}/readyz"
        self.stage.until(lambda: answers_ok(url), within_s=BUSY_S, what="getting ready")

    def enter_bots(self) -> None:
        """Upload two developers' bots and return when they have met in a rated match."""
        entered = [
            play.enter(
                self.stage,
                play.House.read(ROOT / "bots" / bot),
                Account(owner, f"{owner}-in-a-test"),
            )
            for bot, owner in BOTS
        ]
        play.wait_until_validated(self.stage, entered)
        self.stage.until(lambda: self.finished() != [], within_s=BUSY_S, what="a rated match")

    def matches(self) -> list[dict[str, Any]]:
        listed = httpx2.get(f"{self.stage.url}/api/v1/matches", timeout=30).json()
        found: list[dict[str, Any]] = listed["results"]
        return found

    def finished(self) -> list[dict[str, Any]]:
        return [match for match in self.matches() if match["status"] == "finished"]

    def isolation(self) -> str:
        """Return what games are played in where nobody chose a runtime: gVisor if it is there."""
        listed = _run(["docker", "info", "--format", "{{json .Runtimes}}"], self.environment)
        return f"docker ({'runsc' if 'runsc' in json.loads(listed) else 'runc'})"

    def left_behind(self) -> str:
        """List what the engine still has of this project."""
        mine = ("--filter", f"label=com.docker.compose.project={self.project}")
        return "".join(
            _run(["docker", *what, *mine], self.environment)
            for what in (("ps", "-aq"), ("volume", "ls", "-q"), ("network", "ls", "-q"))
        ) + "".join(self.bots())


def _run(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        command,
        check=False,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=BUILD_S,
    )
    assert done.returncode == 0, f"{command}: {done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def build_images() -> dict[str, str]:
    """Build stand-ins for the official images, and the image of the site; give their settings.

    One process builds at a time: the others find its layers and have little left to do.
    """
    with Path(tempfile.gettempdir(), "drapeau-test-images.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _built_images()


def _built_images() -> dict[str, str]:
    for name in ("python", "broker", "database", "proxy"):
        with tempfile.TemporaryDirectory() as context:
            shutil.copytree(IMAGES / name, context, dirs_exist_ok=True)
            shutil.copy(CERTIFICATES, Path(context) / "certificates.crt")
            _build(name, context)
    _build("app", str(ROOT), "--build-arg", "BASE=drapeau-test-python")
    return {
        "DRAPEAU_IMAGE": "drapeau-test-app",
        "DRAPEAU_POSTGRES_IMAGE": "drapeau-test-database",
        "DRAPEAU_BROKER_IMAGE": "drapeau-test-broker",
        "DRAPEAU_PROXY_IMAGE": "drapeau-test-proxy",
    }


def _build(name: str, context: str, *options: str) -> None:
    # The builder that every engine has, without a plugin of the client.
    environment = {**os.environ, "DOCKER_BUILDKIT": "0"}
    command = ["docker", "build", "--network", "host", "--tag", f"drapeau-test-{name}"]
    _run([*command, *options, context], environment)


def settings(images: dict[str, str], run_dir: Path, port: int) -> dict[str, str]:
    """Return the variables of compose.yaml as an operator would set them."""
    host = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    socket = Path(host.removeprefix("unix://"))
    assert stat.S_ISSOCK(socket.stat().st_mode), f"{host} is not a socket of this machine"
    return {
        **os.environ,
        **images,
        "DRAPEAU_VARIANTS": "",  # the image has the games of Drapeau only
        "DRAPEAU_SECRET_KEY": secrets.token_hex(32),
        **{name: secrets.token_hex(16) for name in PASSWORDS},
        "DRAPEAU_ALLOWED_HOSTS": "arena.example",
        "DRAPEAU_LISTEN": f"127.0.0.1:{port}",
        "DRAPEAU_RUN_DIR": str(run_dir),
        "DRAPEAU_DOCKER_SOCKET": str(socket),
        "DRAPEAU_DOCKER_GID": str(socket.stat().st_gid),
        # What a killed runner held waits no longer; who lives renews a lease every second or so.
        "DRAPEAU_LEASE_S": "20",
        "DRAPEAU_RESEND_AFTER_S": "10",
    }


@contextmanager
def running_stack(
    images: dict[str, str], *services: str, name: str = "test", **variables: str
) -> Iterator[Stack]:
    """Start services from images, as `build_images` names them, and take all away again.

    Without names all services are started. `variables` are more than an operator has to set.
    """
    with tempfile.TemporaryDirectory(prefix="drapeau-compose-") as folder:
        port = free_port()
        environment = settings(images, Path(folder) / "run", port) | variables
        Path(folder).chmod(0o711)
        stage = Stage(f"http://127.0.0.1:{port}", Console(), lambda: None)
        stack = Stack(stage, compose_command(), f"drapeau-{name}-{os.getpid()}", environment)
        try:
            stack.compose("up", "-d", "--no-build", *services)
            yield stack
        finally:
            sys.stdout.write(stack.compose("logs", "--no-color", "--tail", "40"))
            stack.compose("down", "--volumes", "--remove-orphans", "--timeout", "5")


def answers_ok(url: str) -> bool:
    return httpx2.get(url, timeout=5).status_code == httpx2.codes.OK
