"""Stored versions as programs that can be seated, and the isolation they are seated in.

For the runner only: it stands on `sandbox`.
"""

import atexit
import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from arena.domain.bots import languages
from arena.models import Version, VersionArchive, VersionBuild
from arena.runner import house_bots
from engine.protocol import PlatformFault
from sandbox import compiling, table
from sandbox.compiling import Built
from sandbox.launcher.order import Launcher
from sandbox.levels import isolation
from sandbox.levels.isolation import Isolation
from sandbox.refusal import BadUpload, IsolationRefused, IsolationUnavailable
from sandbox.table import BotProgram, BotTable, Seating
from sandbox.uploads import package

TROUBLE = (PlatformFault, IsolationUnavailable, IsolationRefused)  # the platform's, never a bot's

ISOLATION_KEPT_S = 30  # a Docker engine that comes or goes is noticed after this long
PROGRAMS_KEPT = 8  # each up to 20 MiB, in every process of the runner


def level() -> Isolation:
    """Return the isolation in force. Raise IsolationUnavailable where the one asked for is not.

    What `auto` found first stays: when that level is gone, games wait for it. Of what it gives
    nothing belongs to this process, so a runner may ask before it forks.
    """
    return _level(_settled(settings.ISOLATION), int(time.monotonic() / ISOLATION_KEPT_S))


def is_away() -> bool:
    """Look anew whether the engine or the launcher of the level in force is gone just now."""
    _level.cache_clear()
    try:
        level()
    except IsolationUnavailable:
        return True
    return False


def named(*, level: Isolation) -> str:
    """Name a level as records do: an unsafe one says so."""
    return level.kind if level.safe else f"{level.kind}, unsafe"


def load(*, version: Version) -> BotProgram:
    """Unpack a scanned version. Raise PlatformFault where its bytes are not what was scanned."""
    return _load(version.pk, version.digest)


@contextmanager
def seated(
    *, level: Isolation, seats: Mapping[str, Seating], on_wait: Callable[[], None]
) -> Iterator[BotTable]:
    """Seat programs and scripted players.

    `on_wait` is called about every second of a long wait for a bot, to stay the holder of the row.
    Raise IsolationRefused for a program that may not run at this level, and PlatformFault.
    """
    with table.open_table(
        isolation=_with_launcher(level),
        seats=seats,
        work_dir=Path(settings.RUN_DIR),
        admission=house_bots.admission(),
        on_wait=on_wait,
    ) as opened:
        yield opened


def build(*, level: Isolation, program: BotProgram, on_wait: Callable[[], None]) -> Built:
    """Compile the sources of a program; `on_wait` as for `seated`.

    Raise BuildFailed where its author has something to mend, else what `seated` raises.
    """
    return compiling.build(
        program,
        isolation=_with_launcher(level),
        work_dir=Path(settings.RUN_DIR),
        on_wait=on_wait,
    )


def close() -> None:
    """End the containers that this process keeps waiting for bots; before it ends."""
    if _own_launcher.cache_info().currsize:
        _own_launcher(os.getpid(), Path(settings.RUN_DIR)).close()
        _own_launcher.cache_clear()


def stderr(*, table: BotTable, seat: str) -> str:
    """Return what the bot at `seat` wrote to its standard error; for its owner only."""
    return table.stderr(seat).decode(errors="replace")


@lru_cache(maxsize=1)
def _settled(setting: str) -> str:
    return isolation.choose(setting).kind if setting == "auto" else setting


@lru_cache(maxsize=1)
def _level(setting: str, _period: int) -> Isolation:
    return isolation.choose(setting)


def _with_launcher(found: Isolation) -> Isolation:
    if found.kind != "docker" or found.launcher is not None:
        return found
    return replace(found, launcher=_own_launcher(os.getpid(), Path(settings.RUN_DIR)))


@lru_cache(maxsize=1)
def _own_launcher(_process: int, run_dir: Path) -> Launcher:
    """Return the launcher of this process: a forked one must not use its parent's."""
    from sandbox.launcher.embedded import Embedded, warm_containers  # noqa: PLC0415 - loads Docker

    launcher = Embedded(run_dir, warm=warm_containers())
    atexit.register(launcher.close)
    return launcher


@lru_cache(maxsize=PROGRAMS_KEPT)
def _load(version_pk: int, digest: str) -> BotProgram:
    archive = VersionArchive.objects.select_related("version").get(version=version_pk)
    try:
        program = package.unpack(bytes(archive.data), archive.version.filename)
    except BadUpload as exc:
        raise PlatformFault(f"a stored version cannot be unpacked: {exc.message}") from exc
    if program.digest != digest:
        raise PlatformFault("a stored version is not what was scanned")
    if languages.is_compiled(program.manifest.language):
        return replace(program, artefact=_artefact(version_pk))
    return program


def _artefact(version_pk: int) -> bytes:
    build = VersionBuild.objects.filter(version=version_pk).first()
    if build is None:
        raise PlatformFault("a stored version of a compiled language has not been built")
    artefact = bytes(build.artefact)
    if hashlib.sha256(artefact).hexdigest() != build.digest:
        raise PlatformFault("a stored build is not what was built")
    return artefact
