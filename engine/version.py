"""The version of the engine, as records carry it; it goes up whenever a game would change."""

import re

VERSION = "0.5.0"
_FORM = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9}){0,5}", re.ASCII)


def is_newer(version: str) -> bool:
    """Return whether a version is newer than this engine's. Raise ValueError for what is none."""
    return _numbers(version) > _numbers(VERSION)


def _numbers(version: str) -> tuple[int, ...]:
    if not _FORM.fullmatch(version):
        raise ValueError(f"{version!r:.60} is no version of the engine, such as {VERSION}")
    return tuple(int(part) for part in version.split("."))
