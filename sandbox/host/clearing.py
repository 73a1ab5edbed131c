"""Clear the folders of runners and launchers that were killed. Their bots died with them.

A slot with a note but without a lock belongs to a dead process.
"""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from sandbox import limits
from sandbox.host.seating import FOLDER_PREFIX
from sandbox.host.uid_slots import abandoned_slots, notes


def clear(run_dir: Path, *, end: Callable[[int], None] = lambda _slot: None) -> int:
    """Remove the folders of slots that no living process holds; return the number of slots.

    `end(slot)` ends what may still run under a slot, or raises. It is safe to call while games run,
    also those of other runners.
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
    """Remove the folders that were created but never noted, because the process died before."""
    old_s = time.time() - limits.STALE_FOLDER_S
    known = notes(run_dir).values()
    for folder in run_dir.glob(f"{FOLDER_PREFIX}*"):
        if str(folder) not in known and folder.stat().st_mtime < old_s:
            shutil.rmtree(folder, ignore_errors=True)
