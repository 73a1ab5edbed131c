"""Clear what runners that were killed have left: their bots are dead, their folders may not be."""

import shutil
from pathlib import Path

from sandbox import docker_engine
from sandbox.isolation import Isolation
from sandbox.slots import abandoned_slots


def reap(*, isolation: Isolation, work_dir: Path) -> int:
    """Remove containers and folders of slots that nobody alive holds; give the number of slots.

    Safe beside running games, also those of other runners. Raises `IsolationUnavailable` or
    `PlatformFault` where containers are used and the engine does not do its part.
    """
    work_dir = work_dir.absolute()
    cleared = 0
    for slot in abandoned_slots(work_dir):
        if isolation.kind == "docker":
            with docker_engine.connected() as engine:
                docker_engine.remove_all(engine, work_dir, slot.number)
        folder = Path(slot.read_note())
        if folder.parent == work_dir:
            shutil.rmtree(folder, ignore_errors=True)
        slot.write_note("")
        cleared += 1
    return cleared
