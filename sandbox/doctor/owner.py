"""Checks that only the owner of the engine and of the run directory can make.

Other runners may use the same run directory, so these checks look for things without an owner that
were not there before.
"""

import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from sandbox.doctor.onlooker import Seen
from sandbox.host.seating import FOLDER_PREFIX
from sandbox.host.uid_slots import abandoned_slots, notes
from sandbox.levels.isolation import Isolation

CLEARING_WAIT_S = 3.0
CLEARING_STEP_S = 0.05


def processes(run_dir: Path, token: bytes) -> set[str]:
    """Return, as folders of /proc, the processes whose /bot contains files with `token`."""
    ours = set()
    for folder in run_dir.glob(f"{FOLDER_PREFIX}*/bot"):
        with suppress(OSError):  # another bot of the doctor may end while we look
            seen = folder.stat()
            if _holds(folder, token):
                ours.add((seen.st_dev, seen.st_ino))
    entries = set()
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            seen = (entry / "root/bot").stat()
            if (seen.st_dev, seen.st_ino) in ours:
                entries.add(str(entry))
    return entries


def strays(isolation: Isolation, run_dir: Path) -> set[str]:
    """Return the folders, slots and containers of a run directory that have no owner."""
    abandoned = {slot.read_note() for slot in abandoned_slots(run_dir)}
    held = set(notes(run_dir).values()) - abandoned
    folders = {str(path) for path in run_dir.glob(f"{FOLDER_PREFIX}*")}
    left_over = abandoned | (folders - held)
    if isolation.kind == "docker":
        left_over |= {
            container["Id"]
            for container in _containers(run_dir)
            if str(_folder(container).parent) not in held
        }
    return left_over


def left(isolation: Isolation, run_dir: Path, before: set[str], alive: set[str]) -> Seen:
    """Wait a little until everything is cleared; return what is left after that."""
    until_s = time.monotonic() + CLEARING_WAIT_S
    while True:
        left_over = (strays(isolation, run_dir) - before) | {
            path for path in alive if Path(path).exists()
        }
        if not left_over or time.monotonic() > until_s:
            return not left_over, f"{', '.join(sorted(left_over))} left" if left_over else "nothing"
        time.sleep(CLEARING_STEP_S)


def images_in_use(run_dir: Path, token: bytes) -> set[str]:
    """Return the ids of the images of running containers whose bots have `token` in their files."""
    return {
        container["ImageID"]
        for container in _containers(run_dir)
        if _holds(_folder(container), token)
    }


def _containers(run_dir: Path) -> list[Mapping[str, Any]]:
    """Return the containers that were started for a run directory, in any state."""
    from sandbox.launcher import docker_engine  # noqa: PLC0415 - loads Docker

    with docker_engine.connected() as engine:
        return list(engine.containers(all=True, filters={"label": f"arena.run={run_dir}"}))


def _folder(container: Mapping[str, Any]) -> Path:
    """Return the folder on this host that a container sees as /bot."""
    sources = [mount["Source"] for mount in container["Mounts"] if mount["Destination"] == "/bot"]
    return Path(*sources)


def _holds(folder: Path, token: bytes) -> bool:
    with suppress(OSError):  # it may be cleared at this moment
        return any(token in path.read_bytes() for path in folder.iterdir() if path.is_file())
    return False
