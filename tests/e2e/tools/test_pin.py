"""`make pin` writes the digests that a registry gives, or nothing."""

import os
import shutil
import subprocess
from contextlib import contextmanager

import pytest

from arena.embedded.supervise import ServiceProgram, Supervisor
from arena.embedded.tcp import LOOPBACK, free_port, listens
from tests.tree import ROOT
from tools.services.packages import REGISTRY, path_of

pytestmark = pytest.mark.docker
NAMES = ("DRAPEAU_POSTGRES_IMAGE", "DRAPEAU_BROKER_IMAGE", "DRAPEAU_PYTHON_IMAGE")
ENV = "# mine\nDRAPEAU_SECRET_KEY=kept\n"
CONFIG = """version: 0.1
storage: {{filesystem: {{rootdirectory: {folder}}}}}
http: {{addr: {address}}}
"""


def docker(*command):
    done = subprocess.run(["docker", *command], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@contextmanager
def registry(folder, port):
    config = folder / "registry.yml"
    config.write_text(CONFIG.format(folder=folder / "images", address=f"{LOOPBACK}:{port}"))
    program = ServiceProgram(
        name="registry",
        argv=(str(path_of(REGISTRY)), "serve", str(config)),
        log=folder / "registry.log",
        env=dict(os.environ),
    )
    with Supervisor(f"registry {folder}") as supervisor:
        supervisor.start(program)
        supervisor.wait_until(program, lambda: listens(port), within_s=60)
        yield


@pytest.fixture
def project(tmp_path):
    """Lay out the two files that the command reads, and an .env that names our registry."""
    port = free_port()
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "pin.sh", tmp_path / "tools")
    shutil.copy(ROOT / "compose.yaml", tmp_path)
    images = {name: f"{LOOPBACK}:{port}/drapeau-{place}:1" for place, name in enumerate(NAMES)}
    lines = "".join(f"{name}={image}\n" for name, image in images.items())
    (tmp_path / ".env").write_text(ENV + lines)
    yield tmp_path, port, images
    for image in images.values():
        subprocess.run(["docker", "image", "rm", "-f", image], check=False, capture_output=True)


def pin(folder):
    return subprocess.run(
        [folder / "tools" / "pin.sh"], check=False, capture_output=True, text=True
    )


def push(folder, images):
    """Push an image of its own for each name; return the digests that the registry gave."""
    digests = {}
    for name, image in images.items():
        context = folder / name
        context.mkdir()
        (context / "content").write_text(name)
        (context / "Dockerfile").write_text("FROM scratch\nCOPY content /\n")
        docker("build", "--quiet", "--tag", image, str(context))
        said = docker("push", image)
        digests[name] = next(word for word in said.split() if word.startswith("sha256:"))
        docker("image", "rm", image)
    return digests


def test_registry_digests_are_written_and_rest_kept(project):
    folder, port, images = project
    with registry(folder, port):
        digests = push(folder, images)
        done = pin(folder)
        assert done.returncode == 0, done.stderr
        written = (folder / ".env").read_text()
        assert pin(folder).returncode == 0  # again, from what was pinned
        assert (folder / ".env").read_text() == written
    pins = "".join(f"{name}={image}@{digests[name]}\n" for name, image in images.items())
    assert written == ENV + pins
    assert (folder / ".env").stat().st_mode & 0o777 == 0o600


def test_without_registry_nothing_written_and_reason_told(project):
    folder, port, _ = project
    before = (folder / ".env").read_text()
    done = pin(folder)
    assert done.returncode == 1
    assert f"no registry gave {LOOPBACK}:{port}/drapeau-0:1" in done.stderr
    assert ".env is unchanged" in done.stderr
    assert (folder / ".env").read_text() == before
    assert list(folder.glob(".env.*")) == []
