"""Run the unit tests under another Python: `python -m tools.pythons --python 3.13`.

The interpreter is one that uv finds here, or one that is named by its path. Without one, Debian's
Python 3.13 is unpacked into the cache folder. What the lock names is installed beside it.
"""

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.gate import stages_of_tests
from tools.services.newer_debian import cache_dir, unpacked
from tools.services.packages import Missing

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements" / "dev.lock"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
UV = (str(Path(sys.executable).with_name("uv")),)
OF_DEBIAN = "3.13"
PACKAGES = (
    *("python3.13-minimal", "libpython3.13-minimal", "libpython3.13-stdlib"),
    *("libc6", "libssl3t64"),  # all that it needs newer than Debian 12 has it
)
# Its libraries are newer than the machine's, so it runs with its own loader. The loader gives it
# the name that it was called by, by which Python finds its virtual environment.
WRAPPER = """#!/bin/sh
exec {loader} --library-path {libraries} --argv0 "$0" {python} "$@"
"""


def interpreter(version: str) -> str:
    """Return the path of an interpreter of a version, or of a path; raise Missing."""
    if "/" in version:
        return version
    done = subprocess.run(
        (*UV, "python", "find", "--no-python-downloads", "--no-project", "--system", version),
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode == 0:
        return done.stdout.strip()
    if version != OF_DEBIAN:
        raise Missing(
            f"uv finds no Python {version} here, and Debian has none to unpack. Install one, or "
            "name it by its path with --python."
        )
    # The program starts the unpacked Python with its own loader and libraries.
    files = unpacked(*PACKAGES)
    (loader,) = {path.resolve() for path in files.glob("usr/lib/*/ld-linux-*.so.*")}
    python = files / "usr/bin/python3.13"
    words = {"loader": loader, "libraries": loader.parent, "python": python}
    program = python.with_name("python")
    program.write_text(WRAPPER.format_map({n: shlex.quote(str(w)) for n, w in words.items()}))
    program.chmod(0o755)
    return str(program)


def environment(version: str) -> Path:
    """Return the Python of an environment with what the lock names; raise Missing."""
    base = interpreter(version)
    folder = cache_dir() / "pythons" / version.strip("/").replace("/", "-")
    subprocess.run((*UV, "venv", "--quiet", "--clear", "--python", base, folder), check=True)
    # The machine's own certificates where it has some, as tools/bootstrap.sh does.
    certificates = {"UV_SYSTEM_CERTS": "1"} if CERTIFICATES.exists() else {}
    subprocess.run(
        (*UV, "pip", "sync", "--quiet", "--require-hashes", LOCK),
        check=True,
        env={**certificates, **os.environ, "VIRTUAL_ENV": str(folder)},
    )
    return folder / "bin" / "python"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make pythons ARGS='...'", description=__doc__)
    parser.add_argument("--python", default=OF_DEBIAN, help=f"a version or a path ({OF_DEBIAN})")
    parser.add_argument("tests", nargs="*", help="what pytest gets in place of all unit tests")
    given = parser.parse_args(arguments)
    try:
        python = environment(given.python)
    except Missing as problem:
        print(f"pythons: {problem}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as problem:
        print(f"pythons: uv failed with status {problem.returncode}; see above", file=sys.stderr)
        return 1
    (unit,) = (stage for stage in stages_of_tests({}, is_all=False) if stage.name == "unit")
    _, *command = unit.command
    tests = ("-m", "pytest", "-q", "-m", "not soak", *given.tests) if given.tests else command
    print(f"pythons: {python}", flush=True)
    return subprocess.run((python, *tests), check=False, cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
