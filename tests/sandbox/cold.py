"""Files of the image that are not in the memory of the host, as after its start."""

import os
from collections.abc import Iterable
from pathlib import Path

from sandbox.images.recipe import runtime_image
from tests.sandbox.attack import dockers


def drop(paths: Iterable[str]) -> None:
    """Drop files from memory, on this machine and in the layers of the image of Python bots."""
    for file in places(paths):
        with file.open("rb") as opened:
            os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def places(paths: Iterable[str]) -> list[Path]:
    """Return where files lie on this machine and in the layers of the image of Python bots."""
    paths = list(paths)
    roots = [Path("/"), *layers()] if paths else []
    files = [root / path.removeprefix("/") for root in roots for path in paths]
    return [file for file in files if file.is_file()]


def layers() -> list[Path]:
    """Return the folders of the layers, in which only root can look."""
    if "DOCKER_HOST" not in os.environ:
        return []
    api = dockers.engine()
    try:
        given = api.inspect_image(runtime_image("python"))["GraphDriver"]["Data"] or {}
    finally:
        api.close()
    return [
        Path(each)
        for key in ("UpperDir", "LowerDir")
        for each in given.get(key, "").split(":")
        if each
    ]
