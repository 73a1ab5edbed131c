"""Clear what runners and launchers that were killed have left. Their bots died with them.

A slot with a note that nobody holds belongs to nobody alive.
"""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from sandbox import limits
from sandbox.isolation import Isolation
from sandbox.seating import FOLDER_PREFIX
from sandbox.slots import abandoned_slots, notes


def reap(*, isolation: Isolation, work_dir: Path) -> int:
    """Clear a run directory before work begins; give the number of slots that were abandoned.

    Nothing is done where the launcher is another process: it does this by itself. Raises
    `IsolationUnavailable` or `PlatformFault` where the engine does not do its part.
    """
    if isolation.launcher is not None:
        return 0
    if isolation.kind != "docker":
        return clear(work_dir)
    from sandbox.launcher.embedded import Embedded  # noqa: PLC0415 - loads Docker

    return Embedded(work_dir).reap()


def clear(run_dir: Path, *, end: Callable[[int], None] = lambda _slot: None) -> int:
    """Remove the folders of slots that nobody alive holds; give the number of slots.

    `end(slot)` ends what may be running under a slot, or raises. Safe beside running games, also
    those of others.
    """
    run_dir = run_dir.absolute()
    cleared = 0
    for slot in abandoned_slots(run_dir):
        end(slot.number)
        folder = Path(slot.read_note())
        if folder.parent == run_dir:
            shutil.rmtree(folder, ignore_errors=True)
        slot.write_note("")
        cleared += 1
    _remove_unknown_folders(run_dir)
    return cleared


def _remove_unknown_folders(run_dir: Path) -> None:
    """Remove the folders that were made and, before they were noted, forgotten."""
    old_s = time.time() - limits.STALE_FOLDER_S
    known = notes(run_dir).values()
    for folder in run_dir.glob(f"{FOLDER_PREFIX}*"):
        if str(folder) not in known and folder.stat().st_mtime < old_s:
            shutil.rmtree(folder, ignore_errors=True)
