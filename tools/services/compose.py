"""Docker Compose 2: the machine's own, else the package of a newer Debian.

Debian 12 has Compose 1, which accepts files that Compose 2 refuses.
"""

import re
import shutil
import subprocess

from tools.services.newer_debian import unpacked
from tools.services.packages import Missing

_MAJOR_VERSION = 2  # or later
_PACKAGE = "docker-compose"


def compose_command() -> tuple[str, ...]:
    """Return the command of Docker Compose 2; download it the first time. Raise Missing."""
    for command in (("docker", "compose"), ("docker-compose",)):
        if _is_compose_2(command):
            return command
    try:
        return (str(unpacked(_PACKAGE) / "usr/bin" / _PACKAGE),)
    except Missing as problem:
        raise Missing(
            f"Docker Compose 2 is missing: {problem} Install it so that `docker compose version` "
            "works: https://docs.docker.com/compose/install"
        ) from problem


def _is_compose_2(command: tuple[str, ...]) -> bool:
    if shutil.which(command[0]) is None:
        return False
    done = subprocess.run(
        [*command, "version", "--short"], check=False, capture_output=True, text=True
    )
    major = re.match(r"v?(\d+)\.", done.stdout)
    return done.returncode == 0 and major is not None and int(major[1]) >= _MAJOR_VERSION
