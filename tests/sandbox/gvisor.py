"""An engine that has gVisor, for tests: that of all tests where it has, else one of its own."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sandbox.launcher.oci_runtime import GVISOR
from tests.sandbox.attack.private_engine import private_engine
from tools.services.engine import gvisor
from tools.services.packages import DOCKER, path_of


@contextmanager
def engine() -> Iterator[str]:
    """Yield the DOCKER_HOST of an engine that has `runsc` and the image of Python bots."""
    asked = [str(path_of(DOCKER)), "info", "--format", "{{json .Runtimes}}"]
    listed = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    if f'"{GVISOR}"' in listed:
        yield os.environ.get("DOCKER_HOST", "")
        return
    with (
        tempfile.TemporaryDirectory(prefix="gvisor-") as folder,
        private_engine(*gvisor(Path(folder))) as started,
    ):
        yield started.host
