"""What only the owner of the engine and of the run directory can see of the bots there."""

import os
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

from sandbox.doctor_onlooker import Seen, Sights
from sandbox.isolation import Isolation, launcher_of
from sandbox.refusal import IsolationUnavailable
from sandbox.slots import notes


def images(isolation: Isolation, work_dir: Path) -> Sights:
    """Compare the images of the containers that run with those that were pinned."""
    if isolation.kind != "docker":
        return
    with launcher_of(isolation, work_dir) as launcher:
        pinned = set(launcher.images().values())
    running = [each["ImageID"] for each in _containers(work_dir)]
    others = sorted({image for image in running if image not in pinned})
    seen = f"{len(running)} containers" + (f", of {others[0]} too" if others else "")
    yield "images", (bool(running) and not others, seen)


def left(isolation: Isolation, work_dir: Path, users: Collection[int]) -> Sights:
    """Look for whatever bots that are gone may have left on this host."""
    found: dict[str, int] = {
        "folders": sum(each.name != "slots" for each in work_dir.iterdir()),
        "slots": len(notes(work_dir) - {""}),
    }
    if isolation.kind == "docker":
        found["containers"] = len(_containers(work_dir))
        found["processes"] = _processes_of(users)
    seen = ", ".join(f"{count} {what}" for what, count in found.items())
    yield "nothing_left", (not any(found.values()), seen)


def _containers(work_dir: Path) -> list[Mapping[str, str]]:
    """List the containers that were started for a run directory, in whatever state."""
    from sandbox.launcher import docker_engine  # noqa: PLC0415 - loads Docker

    with docker_engine.connected() as engine:
        filters = {"label": f"arena.run={work_dir}"}
        return list(engine.containers(all=True, filters=filters))


def _processes_of(users: Collection[int]) -> int:
    count = 0
    for entry in os.scandir("/proc"):
        with suppress(FileNotFoundError):
            count += entry.name.isdigit() and entry.stat().st_uid in users
    return count
