"""The levels of isolation that are measured, each as the games use it."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sandbox.launcher import spec
from sandbox.levels.isolation import Isolation, choose
from tests.sandbox.attack.private_engine import private_engine
from tools.services.packages import GVISOR, path_of

PLANTED = "/planted"  # a folder that all containers share: a channel that must be found
WARM = 2


@contextmanager
def level(name: str, folder: Path) -> Iterator[Isolation]:
    """Yield a level.

    "process" and "bubblewrap" are those of the arena, "runc" and "runsc" are containers under
    these runtimes. "vfs" is runc where each container has its own copy of the image.
    """
    if name in {"process", "bubblewrap"}:
        yield choose(name)
        return
    from sandbox.launcher.embedded import Embedded  # noqa: PLC0415 - loads Docker

    with ExitStack() as stack:
        if name != "runc":
            stack.enter_context(own_engine(name))
        stack.enter_context(planted())
        launcher = Embedded(folder, warm=WARM)
        stack.callback(launcher.close)
        yield replace(choose("docker"), launcher=launcher)


@contextmanager
def own_engine(name: str) -> Iterator[None]:
    """Have containers run on an engine of its own: under gVisor, or each with its own files."""
    with ExitStack() as stack:
        options, names = ("--storage-driver", "vfs"), {}
        if name == "runsc":
            place = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "runsc"
            command = f"{path_of(GVISOR)} --network=none --host-uds=open"
            place.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
            place.chmod(0o755)
            options = ("--add-runtime", f"runsc={place}")
            names = {"DRAPEAU_DOCKER_RUNTIME": "runsc"}
        engine = stack.enter_context(private_engine(*options))
        stack.enter_context(patch.dict(os.environ, names | {"DOCKER_HOST": engine.host}))
        yield


@contextmanager
def planted() -> Iterator[None]:
    """Have all containers share a folder that they can write to."""
    whole = spec.container
    with tempfile.TemporaryDirectory() as shared:
        Path(shared).chmod(0o777)
        mount = {"Type": "bind", "Target": PLANTED, "Source": shared, "ReadOnly": False}

        def with_folder(*arguments: Any, **options: Any) -> dict[str, Any]:
            made: dict[str, Any] = whole(*arguments, **options)
            made["HostConfig"]["Mounts"].append(mount)
            return made

        with patch.object(spec, "container", with_folder):
            yield
