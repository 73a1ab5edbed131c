"""Packages of a newer Debian, unpacked into the cache folder and not installed.

Their programs run on Debian 12 as they are.
"""

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.services.packages import Missing, apt

SUITE = "trixie"  # Debian 13
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def cache_dir() -> Path:
    """Return the folder that outlives a run: images need not be built each time."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "drapeau"


def unpacked(*packages: str) -> Path:
    """Return the folder of the files of packages; download them the first time. Raise Missing."""
    folder = cache_dir() / SUITE / "-".join(packages)
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Another run may have downloaded them in the meantime.
        if not folder.is_dir():
            _download(packages, folder)
    return folder


def _download(packages: Sequence[str], target: Path) -> None:
    print(f"services: downloading {', '.join(packages)} of Debian's {SUITE}", flush=True)
    reasons = []
    for mirror in _mirrors():
        # Not in the cache folder: apt-get downloads as a user who may not enter root's folders.
        with tempfile.TemporaryDirectory(prefix="drapeau-apt-") as folder:
            try:
                files = _unpacked_from(mirror, packages, Path(folder))
            except Missing as problem:
                reasons.append(f"{mirror}: {problem}")
                continue
            part = target.with_name(f"{target.name}.part")
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(files, part, symlinks=True)
            part.replace(target)
            return
    raise Missing(
        f"{', '.join(packages)} cannot be downloaded from Debian's {SUITE} suite "
        f"({'; '.join(reasons) or 'apt-get knows no mirror'})."
    )


def _mirrors() -> list[str]:
    """Return the addresses that the machine's own apt-get downloads from."""
    if shutil.which("apt-get") is None:
        return []
    addresses = apt("update", "--print-uris")
    return list(dict.fromkeys(re.findall(r"'(\S+)/dists/\S+/InRelease'", addresses)))


def _unpacked_from(mirror: str, packages: Sequence[str], folder: Path) -> Path:
    """Return the files out of the mirror's packages; raise Missing if one is not there."""
    folder.chmod(0o755)
    (folder / "state/lists/partial").mkdir(parents=True)
    (folder / "debian.sources").write_text(
        f"Types: deb\nURIs: {mirror}\nSuites: {SUITE}\nComponents: main\nSigned-By: {_KEYRING}\n"
    )
    options = (
        *("-qq", "-o", f"Dir::Etc::SourceList={folder}/debian.sources"),
        *("-o", "Dir::Etc::SourceParts=-", "-o", f"Dir::State={folder}/state"),
        *("-o", f"Dir::Cache={folder}/cache"),
    )
    apt("update", *options)
    apt("download", *options, *(f"{name}/{SUITE}" for name in packages), folder=folder)
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, folder / "unpacked"], check=True)
    return folder / "unpacked"
