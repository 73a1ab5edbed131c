"""Clear the folders of runners and launchers that were killed.

A slot with a note but without a lock belongs to a dead process.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from sandbox.host.uid_slots import Slot, abandoned_slots


def clear(run_dir: Path, *, end: Callable[[Slot], None]) -> int:
    """Remove the folders of slots that no living process holds; return the number of slots.

    `end(slot)` ends what may still run under a slot, or raises. It is safe to call while games run,
    also those of other runners.
    """
    run_dir = run_dir.absolute()
    cleared = 0
    for slot in abandoned_slots(run_dir):
        end(slot)
        folder = Path(slot.read_note())
        if folder.parent == run_dir:
            shutil.rmtree(folder, ignore_errors=True)
        slot.write_note("")
        cleared += 1
    return cleared
