"""The levels of isolation that are measured, each as the games use it."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sandbox.launcher import container_options, image_files
from sandbox.launcher.oci_runtime import GVISOR, SETTING
from sandbox.levels.isolation import Isolation, choose
from tests.sandbox import gvisor
from tests.sandbox.attack.private_engine import private_engine

PLANTED = "/planted"  # a folder that all containers share: a channel that must be found
WARM = 2


@contextmanager
def level(name: str, folder: Path) -> Iterator[Isolation]:
    """Yield a level.

    "process" and "bubblewrap" are those of the arena, "runc" and "runsc" are containers under
    these runtimes, and the files of the image are read first as the launcher service does. "vfs"
    is runc where each container has its own copy of the image.
    """
    if name in {"process", "bubblewrap"}:
        yield choose(name)
        return
    from sandbox.launcher.embedded import Embedded  # noqa: PLC0415 - loads Docker

    with ExitStack() as stack:
        if name != "runc":
            host = stack.enter_context(gvisor.engine() if name == GVISOR else own_files())
            stack.enter_context(patch.dict(os.environ, {"DOCKER_HOST": host} if host else {}))
        runtime = GVISOR if name == GVISOR else "runc"
        stack.enter_context(patch.dict(os.environ, {SETTING: runtime}))
        image_files.read_all(runtime)
        stack.enter_context(planted())
        launcher = Embedded(folder, warm=WARM, oci_runtime=runtime)
        stack.callback(launcher.close)
        yield replace(choose("docker"), launcher=launcher)


@contextmanager
def own_files() -> Iterator[str]:
    """Yield the DOCKER_HOST of an engine that gives each container its own files of an image."""
    with private_engine("--storage-driver", "vfs") as engine:
        yield engine.host


@contextmanager
def planted() -> Iterator[None]:
    """Have all containers share a folder that they can write to."""
    whole = container_options.container
    with tempfile.TemporaryDirectory() as shared:
        Path(shared).chmod(0o777)
        mount = {"Type": "bind", "Target": PLANTED, "Source": shared, "ReadOnly": False}

        def with_folder(*arguments: Any, **options: Any) -> dict[str, Any]:
            made: dict[str, Any] = whole(*arguments, **options)
            made["HostConfig"]["Mounts"].append(mount)
            return made

        with patch.object(container_options, "container", with_folder):
            yield
