"""Which isolation the bots of the site run under, and their image where a Docker engine answers."""

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from arena.embedded.refusal import StartFailed
from arena.embedded.supervise import ServiceProgram, Supervisor
from sandbox.images.recipe import runtime_image
from sandbox.launcher import docker_engine
from sandbox.levels.isolation import Isolation, choose
from sandbox.refusal import IsolationUnavailable


def settle(setting: str, log: Path, say: Callable[[str], None]) -> Isolation:
    """Choose the isolation, building the image for Docker first if only that is missing.

    `log` takes the output of the build. A level that was asked for by name is had or refused, as
    StartFailed; `auto` takes the next weaker one, and its reason says why.
    """
    trouble = ""
    if setting in ("auto", "docker") and lacks_only_the_image():
        say(f"A Docker engine answers; building the image that bots run in (log: {log})")
        trouble = _build_image(log)
    try:
        chosen = choose(setting)
    except IsolationUnavailable as why:
        reasons = "; ".join(filter(None, [str(why), trouble]))
        raise StartFailed(
            f"{reasons}. Mend that, or choose another level with --isolation; auto takes the "
            "strongest that works."
        ) from why
    return replace(chosen, reason="; ".join(filter(None, [chosen.reason, trouble])))


def lacks_only_the_image() -> bool:
    """Return whether a Docker engine answers that has no image for bots in Python."""
    try:
        with docker_engine.connected() as engine:
            return docker_engine.image_id(engine, runtime_image("python")) is None
    except IsolationUnavailable:
        return False


def _build_image(log: Path) -> str:
    """Build the base and the runtime image; return what went wrong in one line, or nothing."""
    with Supervisor(f"build for {log}") as steps:
        for step in ("build-base", "build-image"):
            argv = (sys.executable, "-m", "sandbox", step)
            if steps.run(ServiceProgram(step, argv, log, os.environ, stop_signal=signal.SIGINT)):
                return f"the runtime image could not be built (`sandbox {step}`, see {log})"
    return ""
