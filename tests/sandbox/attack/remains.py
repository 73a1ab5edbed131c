"""What a game could leave behind, looked for where the kernel and the engine keep it."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tests.sandbox.attack import dockers

PROC = Path("/proc")
KEPT = ("slots",)  # the one thing that a run directory keeps: the locks of user ids


def of(run_dir: Path, *, docker: bool = True) -> dict[str, list[str]]:
    """Return all that is there because of a run directory, by kind.

    Empty lists when all is well.
    """
    return {
        "processes": sorted(processes(run_dir)),
        "containers": dockers.containers(run_dir) if docker else [],
        "mounts": mounts(run_dir),
        "folders": sorted(path.name for path in run_dir.iterdir() if path.name not in KEPT),
    }


def descriptors() -> set[str]:
    """Return what our own descriptors are, each with its number."""
    found = set()
    for path in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the one through which the folder is being read
            found.add(f"{path.name} {path.readlink()}")
    return {each for each in found if not each.endswith("/fd")}


def processes(run_dir: Path) -> Iterator[str]:
    """Yield the processes that have something of a run directory mounted: all of its containers'.

    Bots without a container are known by their working folder. Needs root, as the tests have it.
    """
    mark = f"{run_dir}/"
    for path in PROC.iterdir():
        if not path.name.isdigit() or path.name == str(os.getpid()):
            continue
        with suppress(OSError):  # it ended while we looked, or is the kernel's
            inside = mark in (path / "mountinfo").read_text()
            if inside or str((path / "cwd").readlink()).startswith(mark):
                yield f"{path.name} {(path / 'comm').read_text().strip()}"


def arguments(process: Path) -> bytes:
    """Return the command line of a process, a folder of /proc; nothing if it has ended."""
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def mounts(run_dir: Path) -> list[str]:
    """Return our own mounts that show a run directory."""
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return [line for line in lines if f"{run_dir}/" in line]


def process_one(run_dir: Path, program: bytes) -> int:
    """Find the first process of the container in which a program lies. Raise LookupError.

    It ends after all that is in its PID namespace, and only with it.
    """
    for path in PROC.iterdir():
        if not path.name.isdigit():
            continue
        with suppress(OSError):
            here = _is_first(path) and f"{run_dir}/" in (path / "mountinfo").read_text()
            if here and (path / "root/bot/bot.py").read_bytes() == program:
                return int(path.name)
    raise LookupError("no container holds that program")


def _is_first(path: Path) -> bool:
    for line in (path / "status").read_text().splitlines():
        if line.startswith("NSpid:"):
            numbers = line.split()[1:]
            return len(numbers) > 1 and numbers[-1] == "1"
    return False
