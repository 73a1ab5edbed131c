"""The isolation level of bots on this machine, and how it is chosen."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from botkit.languages import DEFAULT, LANGUAGES
from sandbox.host.clearing import clear
from sandbox.images.recipe import missing_image, runtime_image
from sandbox.launcher import oci_runtime
from sandbox.launcher.client import Client
from sandbox.launcher.oci_runtime import Choice
from sandbox.launcher.order import Launcher
from sandbox.levels import local
from sandbox.refusal import IsolationUnavailable

Kind = Literal["docker", "bubblewrap", "process"]
SETTINGS = ("auto", "docker", "bubblewrap", "process")


@dataclass(frozen=True, slots=True)
class Isolation:
    """The level in force. Only a `safe` one may run programs that the operator does not trust.

    `launcher` starts its containers; it is None if there are none, or if this process talks to
    Docker itself (see `launcher_of`). `own_image_files` says that no two containers share files of
    an image, which depends on the engine. `languages` are those that can be played here.
    `oci_runtime` starts its containers: a name of the engine; "" if there are none.
    """

    kind: Kind
    safe: bool
    reason: str
    launcher: Launcher | None = None
    own_image_files: bool = False
    languages: tuple[str, ...] = (DEFAULT.name,)
    oci_runtime: str = ""

    @property
    def name(self) -> str:
        """The level with its OCI runtime, as rows and records have it: `docker (runsc)`."""
        return f"{self.kind} ({self.oci_runtime})" if self.oci_runtime else self.kind


def choose(setting: str = "auto") -> Isolation:
    """Return the level for a setting: `auto`, or a level by name, which must then work.

    With DRAPEAU_LAUNCHER, `auto` means Docker: an operator with a launcher wants no weaker level.
    Raise `IsolationUnavailable` for a named level that does not work here; never replace it by a
    weaker one.
    """
    if setting not in SETTINGS:
        known = ", ".join(SETTINGS)
        raise IsolationUnavailable(f"DRAPEAU_ISOLATION is {setting!r:.60}, and it can be: {known}")
    if setting == "auto" and not os.environ.get("DRAPEAU_LAUNCHER"):
        missing: list[str] = []
        for level in (_docker, _bubblewrap, _process):
            try:
                isolation = level()
            except IsolationUnavailable as why:
                missing.append(str(why))
            else:
                reason = "; ".join([isolation.reason, *missing])
                return replace(isolation, reason=reason)
        raise IsolationUnavailable("; ".join(missing))
    return {"auto": _docker, "docker": _docker, "bubblewrap": _bubblewrap, "process": _process}[
        setting
    ]()


@contextmanager
def launcher_of(isolation: Isolation, work_dir: Path) -> Iterator[Launcher]:
    """Yield the launcher of a level, or a temporary one.

    A temporary launcher puts its folders into `work_dir` and clears them at the end.
    """
    if isolation.launcher is not None:
        yield isolation.launcher
        return
    from sandbox.launcher.embedded import Embedded  # noqa: PLC0415 - loads Docker

    launcher = Embedded(work_dir, oci_runtime=isolation.oci_runtime)
    try:
        yield launcher
    finally:
        launcher.close()


def reap(*, isolation: Isolation, work_dir: Path) -> int:
    """Clear what killed runners left in a run directory. Return the number of their slots.

    A launcher in another process does this itself; then return 0. Raise `IsolationUnavailable` or
    `PlatformFault` if the engine fails.
    """
    if isolation.launcher is not None:
        return 0
    if isolation.kind != "docker":
        return clear(work_dir, end=local.end_left_over)
    from sandbox.launcher.embedded import Embedded  # noqa: PLC0415 - loads Docker

    return Embedded(work_dir).reap()


def by_engine(unset: str = "") -> Isolation:
    """Return the level whose containers this process starts itself.

    `unset` stands for DRAPEAU_DOCKER_RUNTIME where that is not set. Raise `IsolationUnavailable`.
    """
    from sandbox.launcher import docker_engine, embedded  # noqa: PLC0415 - loads Docker

    setting = os.environ.get(oci_runtime.SETTING) or unset
    chosen = _oci_runtime(setting, os.environ.get("DOCKER_HOST", ""))
    with docker_engine.connected() as engine:
        embedded.require_room_for_containers(engine)
        images = embedded.find_images(engine)
        apart = embedded.keeps_files_apart(engine, chosen.name)
    how = f"of {runtime_image(DEFAULT.runtime)}, under {chosen.name} ({chosen.reason})"
    return _contained(how, images, chosen.name, apart=apart)


@cache
def _oci_runtime(setting: str, _host: str) -> Choice:
    """Return the OCI runtime of an engine. Later changes of the engine do not change it.

    The guarantees were tested under this one.
    """
    from sandbox.launcher import docker_engine  # noqa: PLC0415 - loads Docker

    with docker_engine.connected() as engine:
        default, listed = docker_engine.oci_runtimes(engine)
    return oci_runtime.choose(setting, default=default, listed=listed)


def _docker() -> Isolation:
    address = os.environ.get("DRAPEAU_LAUNCHER")
    if not address:
        return by_engine()
    launcher = Client(address)
    offer = launcher.offer()
    under = f", under {offer.oci_runtime}" if offer.oci_runtime else ""
    how = f"started by the launcher at {address}{under}"
    isolation = _contained(how, offer.images, offer.oci_runtime, apart=offer.own_image_files)
    return replace(isolation, launcher=launcher)


def _contained(how: str, images: Mapping[str, str], runtime: str, *, apart: bool) -> Isolation:
    if DEFAULT.runtime not in images:
        raise IsolationUnavailable(missing_image(DEFAULT.runtime))
    known = tuple(language.name for language in LANGUAGES if language.runtime in images)
    reason = f"docker: bots run in containers {how}"
    return Isolation(
        "docker",
        safe=True,
        reason=reason,
        own_image_files=apart,
        languages=known,
        oci_runtime=runtime,
    )


def _bubblewrap() -> Isolation:
    local.require_bubblewrap()
    reason = "bubblewrap, unsafe: bots run in namespaces without a cap on memory"
    return Isolation("bubblewrap", safe=False, reason=f"{reason}; only trusted bots are run")


def _process() -> Isolation:
    local.require_process_tools()
    reason = "process, unsafe: bots run as plain processes with resource limits"
    return Isolation("process", safe=False, reason=f"{reason}; only trusted bots are run")
