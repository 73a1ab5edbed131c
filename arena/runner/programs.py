"""The programs of stored versions, seated at a table of the sandbox, and the isolation level."""

import atexit
import hashlib
import os
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from django.conf import settings

from arena.domain.bots import languages
from arena.models import Version, VersionArchive, VersionBuild
from botkit.manifest import BadUpload
from botkit.package import read_described
from engine.protocol import PlatformFault
from sandbox import compiling, table
from sandbox.compiling import Built
from sandbox.launcher.order import Launcher
from sandbox.levels import isolation
from sandbox.levels.admission import Admission
from sandbox.levels.isolation import Isolation
from sandbox.refusal import IsolationRefused, IsolationUnavailable
from sandbox.table import BotProgram, BotTable, Seating
from sandbox.uploads import unpacking

TROUBLE = (PlatformFault, IsolationUnavailable, IsolationRefused)  # faults of the platform

ISOLATION_KEPT_S = 30  # how long a change of the Docker engine may stay unnoticed
PROGRAMS_KEPT = 8  # each up to 20 MiB, in every process of the runner


def level() -> Isolation:
    """Return the isolation in force. Raise IsolationUnavailable if it is not available.

    The level that `auto` finds first stays requested: if it becomes unavailable, games wait for it.
    The result does not belong to this process, so a runner may call this before it forks.
    """
    return _level(_requested(settings.ISOLATION), int(time.monotonic() / ISOLATION_KEPT_S))


def is_away() -> bool:
    """Return whether the engine or the launcher of the level is unavailable right now."""
    _level.cache_clear()
    try:
        level()
    except IsolationUnavailable:
        return True
    return False


def launcher_figures() -> Mapping[str, int] | None:
    """Return the figures of the launcher service, or None without one that answers."""
    try:
        launcher = level().launcher
    except IsolationUnavailable:
        return None
    return launcher.figures() if launcher is not None else None


def named(*, level: Isolation) -> str:
    """Return the name of a level in records, with its OCI runtime and a mark for what it lacks."""
    if not level.safe:
        return f"{level.name}, unsafe"
    return level.name if level.own_image_files else f"{level.name}, shared image files"


def load(*, version: Version) -> BotProgram:
    """Unpack a scanned version. Raise PlatformFault if its bytes differ from the scanned ones."""
    return _load(version.pk, version.digest)


def seated(
    *, level: Isolation, seats: Mapping[str, Seating], on_wait: Callable[[], None]
) -> AbstractContextManager[BotTable]:
    """Seat programs and scripted players.

    `on_wait` is called about every second of a long wait for a bot, to renew the lease. Raise
    IsolationRefused for a program that may not run at this level, and PlatformFault.
    """
    return table.open_table(
        isolation=_with_launcher(level),
        seats=seats,
        work_dir=Path(settings.RUN_DIR),
        admission=Admission(
            trusted=house_bot_digests(Path(settings.HOUSE_BOTS_DIR)), trust_all=settings.TRUST_BOTS
        ),
        on_wait=on_wait,
    )


def build(*, level: Isolation, program: BotProgram, on_wait: Callable[[], None]) -> Built:
    """Compile the sources of a program, with `on_wait` as for `seated`.

    Raise BuildFailed if its author must fix the sources, or what `seated` raises.
    """
    return compiling.build(
        program, isolation=_with_launcher(level), work_dir=Path(settings.RUN_DIR), on_wait=on_wait
    )


def close() -> None:
    """Stop the containers that this process keeps ready. Call it before the process ends."""
    if _own_launcher.cache_info().currsize:
        _own_launcher(os.getpid(), Path(settings.RUN_DIR)).close()
        _own_launcher.cache_clear()


@cache
def house_bot_digests(folder: Path) -> frozenset[str]:
    """Return the digests of the bots in `folder`, the only ones that an unsafe level trusts.

    They include the bots of rehearsals.
    """
    return frozenset(
        read_described(manifest).digest
        for pattern in ("*/drapeau.toml", "rehearsal/*/drapeau.toml")
        for path in sorted(folder.glob(pattern))
        for manifest in path.parent.glob("*.toml")
    )


def stderr(*, table: BotTable, seat: str) -> str:
    """Return the standard error of the bot at `seat`, which is for its owner only."""
    return table.stderr(seat).decode(errors="replace")


@lru_cache(maxsize=1)
def _requested(setting: str) -> str:
    return isolation.choose(setting).kind if setting == "auto" else setting


@lru_cache(maxsize=1)
def _level(setting: str, _period: int) -> Isolation:
    return isolation.choose(setting)


def _with_launcher(level: Isolation) -> Isolation:
    if level.kind != "docker" or level.launcher is not None:
        return level
    return replace(level, launcher=_own_launcher(os.getpid(), Path(settings.RUN_DIR)))


@lru_cache(maxsize=1)
def _own_launcher(_process: int, run_dir: Path) -> Launcher:
    """Return the launcher of this process, since a fork must not use its parent's launcher."""
    from sandbox.launcher.embedded import Embedded, warm_containers  # noqa: PLC0415 - loads Docker

    launcher = Embedded(run_dir, warm=warm_containers(), oci_runtime=level().oci_runtime)
    atexit.register(launcher.close)
    return launcher


@lru_cache(maxsize=PROGRAMS_KEPT)
def _load(version_pk: int, digest: str) -> BotProgram:
    archive = VersionArchive.objects.select_related("version").get(version=version_pk)
    try:
        program = unpacking.unpack(bytes(archive.data), archive.version.filename)
    except BadUpload as exc:
        raise PlatformFault(f"a stored version cannot be unpacked: {exc.message}") from exc
    if program.digest != digest:
        raise PlatformFault("a stored version is not what was scanned")
    if not languages.is_compiled(program.manifest.language):
        return program
    build = VersionBuild.objects.filter(version=version_pk).first()
    if build is None:
        raise PlatformFault("a stored version of a compiled language has not been built")
    artefact = bytes(build.artefact)
    if hashlib.sha256(artefact).hexdigest() != build.digest:
        raise PlatformFault("a stored build is not what was built")
    return replace(program, artefact=artefact)
