"""An engine of its own is killed under the stack of compose.yaml, and is started again."""

import os
import signal
import subprocess
import tempfile
from pathlib import Path

import httpx2
import pytest

from arena.embedded.supervise import Supervisor
from botkit.languages import DEFAULT
from sandbox.images.recipe import runtime_image
from tests.e2e.compose.stack import BUSY_S, build_images, running_stack
from tools.services.engine import start, unmount_all

pytestmark = [pytest.mark.docker, pytest.mark.soak, pytest.mark.timeout(1500)]


@pytest.fixture
def own_engine(monkeypatch):
    """The images of the stack on an engine that nobody else uses; yield its pid and supervisor."""
    images = build_images()
    wanted = (*images.values(), runtime_image(DEFAULT.runtime))
    with tempfile.TemporaryDirectory(prefix="drapeau-engine-") as name:
        folder, data = Path(name) / "docker", Path(name) / "data"
        try:
            with Supervisor(f"docker {folder}") as supervisor:
                host = start(supervisor, folder, data)
                with subprocess.Popen(["docker", "save", *wanted], stdout=subprocess.PIPE) as saved:
                    command = ["docker", "--host", host, "load"]
                    subprocess.run(command, check=True, stdin=saved.stdout, capture_output=True)
                monkeypatch.setenv("DOCKER_HOST", host)
                yield images, supervisor, folder / "pid"
        finally:
            unmount_all(Path(name))


def test_a_killed_engine_brings_the_stack_back(own_engine):
    images, supervisor, pid_file = own_engine
    with running_stack(images) as stack:
        stack.wait_until_ready()

        os.kill(int(pid_file.read_text()), signal.SIGKILL)

        def is_back():
            supervisor.check()
            is_ok = httpx2.get(f"{stack.stage.url}/readyz", timeout=5).json()["status"] == "ok"
            return is_ok and set(stack.health().values()) == {"healthy"}

        stack.stage.until(is_back, within_s=BUSY_S, what="coming back")
