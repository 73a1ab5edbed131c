"""Which isolation the demo's bots run under, and the runtime image where an engine answers."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from sandbox.images.recipe import runtime_image
from sandbox.launcher import docker_engine
from sandbox.levels.isolation import Isolation, choose
from sandbox.refusal import IsolationUnavailable
from tools.demo.refusal import DemoFailed
from tools.services.packages import FOR_IMAGES, Missing, install


def settle(setting: str, log: Path) -> Isolation:
    """Choose the isolation, building the image for Docker first if only that is missing.

    `log` takes the output of the build. A level that was asked for by name is had or refused, as
    DemoFailed; `auto` takes the next weaker one, and its reason says why.
    """
    trouble = ""
    if setting in ("auto", "docker") and _lacks_only_the_image():
        trouble = _build_image(log)
    try:
        chosen = choose(setting)
    except IsolationUnavailable as why:
        raise DemoFailed("; ".join(filter(None, [str(why), trouble]))) from why
    return replace(chosen, reason="; ".join(filter(None, [chosen.reason, trouble])))


def _lacks_only_the_image() -> bool:
    try:
        with docker_engine.connected() as engine:
            return docker_engine.image_id(engine, runtime_image("python")) is None
    except IsolationUnavailable:
        return False


def _build_image(log: Path) -> str:
    """Build the base and the runtime image; give what went wrong in one line, or nothing."""
    print(f"A Docker engine answers; building the image that bots run in (log: {log})", flush=True)
    try:
        install(FOR_IMAGES)
    except Missing as what:
        return f"the runtime image could not be built: {what}"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        for step in ("build-base", "build-image"):
            command = [sys.executable, "-m", "sandbox", step]
            done = subprocess.run(command, check=False, stdout=output, stderr=subprocess.STDOUT)
            if done.returncode != 0:
                return f"the runtime image could not be built (`sandbox {step}`, see {log})"
    return ""
