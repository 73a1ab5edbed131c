"""The compiled wheel, built from a copy of the tree and unpacked where players can import it."""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path

from benchmarks.figures import NotMeasured
from benchmarks.programs import ROOT, last_line

PACKAGES = ("arena", "bots", "botkit", "engine", "sandbox")
FILES = ("LICENSE", "README.md", "pyproject.toml", "setup.py")
PLACE = Path(sys.prefix) / "compiled"


@cache
def folder() -> Path:
    """Return the folder of the unpacked wheel, built where it is of another source.

    Raise NotMeasured.
    """
    place = PLACE / _digest()
    if not place.exists():
        shutil.rmtree(PLACE, ignore_errors=True)
        with tempfile.TemporaryDirectory() as scratch:
            build(Path(scratch), place)
    return place


def _digest() -> str:
    sources = [ROOT / name for name in FILES] + sorted((ROOT / "engine").rglob("*.py"))
    words = b"".join(path.read_bytes() for path in sources)
    return hashlib.sha256(words + sys.version.encode()).hexdigest()[:16]


def build(scratch: Path, place: Path) -> None:
    """Build the wheel in a scratch folder and unpack it. Raise NotMeasured."""
    compiler = str(sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        raise NotMeasured(f"no C compiler ({compiler}); on Debian: sudo apt-get install gcc")
    tree = scratch / "tree"
    for package in PACKAGES:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, tree / package, ignore=ignored)
    for name in FILES:
        shutil.copy(ROOT / name, tree / name)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    wheel = (*pip, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir")
    _run((*wheel, str(scratch), str(tree)))
    (built,) = scratch.glob("*.whl")
    _run((*pip, "install", "--no-deps", "--no-index", "--target", str(place), str(built)))


def _run(command: tuple[str, ...]) -> None:
    environment = {**os.environ, "DRAPEAU_COMPILE": "1"}
    done = subprocess.run(command, capture_output=True, check=False, env=environment, text=True)
    if done.returncode != 0:
        raise NotMeasured(f"the compiled wheel: {last_line(done.stderr)}")


if __name__ == "__main__":
    try:
        print(folder())
    except NotMeasured as reason:
        sys.exit(f"bench: {reason}")
