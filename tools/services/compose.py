"""Docker Compose 2: the machine's own, else the package of a newer Debian in the cache folder.

Debian 12 has Compose 1, which accepts files that Compose 2 refuses. The program of the newer
package runs on Debian 12 as it is, so it is unpacked and not installed.
"""

import fcntl
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from tools.services.engine import cache_dir
from tools.services.packages import Missing, apt

_MAJOR_VERSION = 2  # or later
_SUITE = "trixie"  # Debian 13, the first with Compose 2
_PACKAGE = "docker-compose"
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def compose_command() -> tuple[str, ...]:
    """Return the command of Docker Compose 2; download it the first time. Raise Missing."""
    downloaded = cache_dir() / _PACKAGE
    for command in (("docker", "compose"), ("docker-compose",), (str(downloaded),)):
        if _is_compose_2(command):
            return command
    downloaded.parent.mkdir(parents=True, exist_ok=True)
    with downloaded.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Another run may have downloaded it in the meantime.
        if not _is_compose_2((str(downloaded),)):
            _download(downloaded)
    return (str(downloaded),)


def _is_compose_2(command: tuple[str, ...]) -> bool:
    if shutil.which(command[0]) is None:
        return False
    done = subprocess.run(
        [*command, "version", "--short"], check=False, capture_output=True, text=True
    )
    major = re.match(r"v?(\d+)\.", done.stdout)
    return done.returncode == 0 and major is not None and int(major[1]) >= _MAJOR_VERSION


def _download(target: Path) -> None:
    print(f"services: downloading {_PACKAGE} of Debian's {_SUITE}", flush=True)
    reasons = []
    for mirror in _mirrors():
        # Not in the cache folder: apt-get downloads as a user who may not enter root's folders.
        with tempfile.TemporaryDirectory(prefix="drapeau-apt-") as folder:
            try:
                program = _unpacked_from(mirror, Path(folder))
            except Missing as problem:
                reasons.append(f"{mirror}: {problem}")
                continue
            part = target.with_suffix(".part")
            shutil.copy(program, part)
            part.replace(target)
            return
    raise Missing(
        f"Docker Compose 2 is missing and cannot be downloaded from Debian's {_SUITE} suite "
        f"({'; '.join(reasons) or 'apt-get knows no mirror'}). "
        "Install it so that `docker compose version` works: https://docs.docker.com/compose/install"
    )


def _mirrors() -> list[str]:
    """Return the addresses that the machine's own apt-get downloads from."""
    if shutil.which("apt-get") is None:
        return []
    addresses = apt("update", "--print-uris")
    return list(dict.fromkeys(re.findall(r"'(\S+)/dists/\S+/InRelease'", addresses)))


def _unpacked_from(mirror: str, folder: Path) -> Path:
    """Return the program out of the mirror's package; raise Missing if there is none."""
    folder.chmod(0o755)
    (folder / "state/lists/partial").mkdir(parents=True)
    (folder / "debian.sources").write_text(
        f"Types: deb\nURIs: {mirror}\nSuites: {_SUITE}\nComponents: main\nSigned-By: {_KEYRING}\n"
    )
    options = (
        *("-qq", "-o", f"Dir::Etc::SourceList={folder}/debian.sources"),
        *("-o", "Dir::Etc::SourceParts=-", "-o", f"Dir::State={folder}/state"),
        *("-o", f"Dir::Cache={folder}/cache"),
    )
    apt("update", *options)
    apt("download", *options, f"{_PACKAGE}/{_SUITE}", folder=folder)
    (package,) = folder.glob("*.deb")
    subprocess.run(["dpkg-deb", "-x", package, folder / "unpacked"], check=True)
    return folder / "unpacked/usr/bin" / _PACKAGE
