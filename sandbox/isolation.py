"""How strictly bots are contained on this machine, and who chose that."""

import os
from dataclasses import dataclass
from typing import Literal

from sandbox import docker_engine, local
from sandbox.images.recipe import runtime_tag
from sandbox.refusal import IsolationUnavailable

Kind = Literal["docker", "bubblewrap", "process"]
SETTINGS = ("auto", "docker", "bubblewrap", "process")


@dataclass(frozen=True, slots=True)
class Isolation:
    """The level in force. Only a `safe` one may run a program that nobody here answers for.

    `image` is the id of the runtime image that was found, so that a game never starts from a tag
    which has moved since.
    """

    kind: Kind
    safe: bool
    reason: str
    image: str = ""


def choose(setting: str = "auto") -> Isolation:
    """Settle the level for a setting: `auto`, or one by its name, which then holds or fails.

    Raises `IsolationUnavailable` for a named level that does not work here; a weaker one is never
    taken in its place.
    """
    if setting not in SETTINGS:
        known = ", ".join(SETTINGS)
        raise IsolationUnavailable(f"no isolation is called {setting!r}; there are {known}")
    if setting == "auto":
        return _first_that_works()
    return {"docker": _docker, "bubblewrap": _bubblewrap, "process": _process}[setting]()


def runtime_image(runtime: str = "python") -> str:
    """Name the image of a runtime: by default the one made of exactly these sources.

    The setting names them all: `{runtime}` in it stands for the runtime.
    """
    named = os.environ.get("DRAPEAU_RUNTIME_IMAGE")
    return named.replace("{runtime}", runtime) if named else runtime_tag(runtime)


def _first_that_works() -> Isolation:
    missing: list[str] = []
    for level in (_docker, _bubblewrap, _process):
        try:
            found = level()
        except IsolationUnavailable as why:
            missing.append(str(why))
        else:
            reason = "; ".join([found.reason, *missing])
            return Isolation(found.kind, found.safe, reason, found.image)
    raise IsolationUnavailable("; ".join(missing))


def _docker() -> Isolation:
    image = docker_engine.find_image(runtime_image())
    reason = f"docker: bots run in containers of {runtime_image()}"
    return Isolation("docker", safe=True, reason=reason, image=image)


def _bubblewrap() -> Isolation:
    local.require_bubblewrap()
    reason = "bubblewrap: bots run in namespaces without a cap on memory; only trusted bots are run"
    return Isolation("bubblewrap", safe=False, reason=reason)


def _process() -> Isolation:
    local.require_process_tools()
    reason = "process: bots run as plain processes with resource limits; only trusted bots are run"
    return Isolation("process", safe=False, reason=reason)
