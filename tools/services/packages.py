"""Finding the programs that the services are, and installing what is missing on Debian."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Need:
    """A program: any of `names`, looked for on PATH and in `folders`; `package` is Debian's."""

    names: tuple[str, ...]
    package: str
    folders: str = ""

    def find(self) -> Path | None:
        """Return the program's path, or None."""
        folders = (
            sorted(map(str, Path("/").glob(self.folders)), reverse=True) if self.folders else []
        )
        path = os.pathsep.join([*folders, os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
        paths = (shutil.which(name, path=path) for name in self.names)
        return next((Path(name) for name in paths if name), None)


POSTGRES = Need(("postgres",), "postgresql", "usr/lib/postgresql/*/bin")
REDIS = Need(("redis-server", "valkey-server"), "redis-server")
DOCKERD = Need(("dockerd",), "docker.io")
DOCKER = Need(("docker",), "docker.io")
DEBOOTSTRAP = Need(("debootstrap",), "debootstrap")
CHROMIUM = Need(("chromium", "chromium-browser", "google-chrome"), "chromium")
GCC = Need(("gcc",), "gcc")
VALGRIND = Need(("valgrind",), "valgrind")
REGISTRY = Need(("docker-registry",), "docker-registry")
GVISOR = Need(("runsc",), "runsc")
FAKETIME = Need(("faketime",), "faketime")
PGBOUNCER = Need(("pgbouncer",), "pgbouncer")
# Its bundle is what images that tests build trust.
CERTIFICATES = Need(("update-ca-certificates",), "ca-certificates")

FOR_TESTS = (
    POSTGRES,
    REDIS,
    DOCKERD,
    DOCKER,
    DEBOOTSTRAP,
    Need(("bwrap",), "bubblewrap"),
    CHROMIUM,
    GCC,
    Need(("gencat",), "libc6-dev"),  # the C headers
    VALGRIND,
    Need(("tsc",), "node-typescript"),
    GVISOR,
    REGISTRY,
    CERTIFICATES,
    FAKETIME,
    PGBOUNCER,
)
FOR_IMAGES = (DEBOOTSTRAP,)


class Missing(Exception):
    """Something is not there and cannot be installed from here; the message says how to."""


def path_of(need: Need) -> Path:
    """Return the program's path; raise Missing."""
    path = need.find()
    if path is None:
        raise Missing(f"{need.names[0]} is missing; {_how_to((need.package,))}")
    return path


def install(needs: Iterable[Need]) -> tuple[str, ...]:
    """Install the packages of what is missing and name them; raise Missing where it cannot."""
    packages = _packages(need for need in needs if need.find() is None)
    if not packages:
        return ()
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise Missing(f"missing: {', '.join(packages)}; {_how_to(packages)}")
    print(f"services: installing {' '.join(packages)}", flush=True)
    apt("update", "-qq")
    apt("install", "-y", "-qq", "--no-install-recommends", *packages)
    still = [need.names[0] for need in needs if need.find() is None]
    if still:
        raise Missing(f"still missing after installing: {', '.join(still)}")
    return packages


def _packages(missing: Iterable[Need]) -> tuple[str, ...]:
    packages = dict.fromkeys(need.package for need in missing)
    apparmor = Path("/sys/module/apparmor/parameters/enabled")
    if DOCKERD.package in packages and apparmor.exists() and apparmor.read_text().strip() == "Y":
        # Only recommended by docker.io, yet no container starts without.
        packages["apparmor"] = None
    if VALGRIND.package in packages:
        packages["libc6-dbg"] = None  # only recommended too, and it stops at once without
    return tuple(packages)


def _how_to(packages: Iterable[str]) -> str:
    return f"on Debian: sudo apt-get install --no-install-recommends {' '.join(packages)}"


def apt(*arguments: str, folder: Path | None = None) -> str:
    """Return what apt-get prints when it runs in `folder`; raise Missing if it fails."""
    done = subprocess.run(
        ["apt-get", *arguments],
        check=False,
        cwd=folder,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode != 0:
        sys.stderr.write(done.stdout)
        raise Missing(f"apt-get {arguments[0]} failed with status {done.returncode}")
    return done.stdout
