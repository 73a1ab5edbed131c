"""User ids for bots, so that no two bots of an installation run under the same id.

A slot is a locked file in the run directory. The kernel releases the lock when the process that
holds it ends, so a slot that can be locked has no living owner, and its remains can be deleted.
"""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.host.uid_ranges import UidRange, take_range


class Slot:
    """A slot in use. `note` is stored beside the lock, for the process that finds it abandoned.

    The lock belongs to the open file behind the descriptor `lock`: a process that receives a copy
    of it holds the slot too, and the slot is free when all copies are closed. The same is true for
    the range of user ids, which is taken when the user id is first asked for.
    """

    def __init__(
        self, run_dir: Path, number: int, descriptor: int, uids: UidRange | None = None
    ) -> None:
        self.number = number
        self.lock = descriptor
        self._run_dir = run_dir
        self._uids = uids

    @property
    def uids(self) -> UidRange:
        """The range of user ids. Raise `IsolationUnavailable` if none can be taken."""
        if self._uids is None:
            self._uids = take_range(self._run_dir)
        return self._uids

    @property
    def uid(self) -> int:
        """The user id of the bot. Raise `IsolationUnavailable` like `uids`."""
        return self.uids.first + self.number

    def write_note(self, note: str) -> None:
        """Replace the note; an empty note means that nothing is left to clear."""
        os.ftruncate(self.lock, 0)
        os.pwrite(self.lock, note.encode(), 0)

    def read_note(self) -> str:
        return os.pread(self.lock, limits.NOTE_MAX_BYTES, 0).decode()

    def release(self) -> None:
        """Release the slot; it is free when no other process holds it.

        Call it only after everything that ran under the slot is gone, or with a note.
        """
        if self._uids is not None:
            self._uids.release()
        if self.lock >= 0:
            os.close(self.lock)
            self.lock = -1


def take_slot(run_dir: Path) -> Slot:
    """Lock the first free slot. Raise `PlatformFault` if every slot of this host is in use.

    A slot with a note is not free, even without a lock: what ran under it may still be alive.
    """
    for number in range(limits.SLOTS):
        slot = _try_slot(run_dir, number)
        if slot is None:
            continue
        if not slot.read_note():
            return slot
        slot.release()
    raise PlatformFault(f"all {limits.SLOTS} slots for bots on this host are in use")


def abandoned_slots(run_dir: Path) -> Iterator[Slot]:
    """Lock, one after another, the slots with a note whose owner is gone. Release each."""
    for number in _numbers(run_dir):
        slot = _try_slot(run_dir, number)
        if slot is None:
            continue
        if slot.read_note():
            yield slot
        slot.release()


def notes(run_dir: Path) -> dict[int, str]:
    """Return the notes of all slots that have one, locked or not, by slot number."""
    texts = {number: _file(run_dir, number).read_text() for number in _numbers(run_dir)}
    return {number: note for number, note in texts.items() if note}


def _numbers(run_dir: Path) -> list[int]:
    """Return the numbers of all slots that were ever used; ignore other files."""
    names = {path.name for path in (run_dir / "slots").glob("*.lock")}
    return [number for number in range(limits.SLOTS) if _file(run_dir, number).name in names]


def _file(run_dir: Path, number: int) -> Path:
    return run_dir / "slots" / f"{number:04}.lock"


def _try_slot(run_dir: Path, number: int) -> Slot | None:
    path = _file(run_dir, number)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return Slot(run_dir, number, descriptor)
