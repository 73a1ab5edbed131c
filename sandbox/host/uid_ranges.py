"""Ranges of user ids, so that two installations on one host never give bots the same id.

An installation is a run directory. A range is a file in a folder that all installations of the host
can lock. Whatever bots of an installation run, its processes hold a shared lock on one range; the
kernel releases it when the last of them ends. An exclusive lock can therefore be had only on a
range that nobody uses.
"""

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path

from sandbox import limits
from sandbox.refusal import IsolationUnavailable

FOLDER = Path("/run/lock/drapeau")
FIRST_UIDS = range(limits.FIRST_UID, limits.FIRST_UID_MAX + 1, limits.SLOTS)


@dataclass(slots=True)
class UidRange:
    """A range in use. `lock` is a descriptor that holds the range, also as a copy elsewhere."""

    first: int
    lock: int

    def release(self) -> None:
        """Release the range; it is free when no other process and no other slot holds it."""
        if self.lock >= 0:
            os.close(self.lock)
            self.lock = -1


@dataclass(frozen=True, slots=True)
class _Owner:
    """An installation, by its run directory."""

    place: str  # device and inode: the same in every mount namespace of the host
    path: str

    @classmethod
    def of(cls, run_dir: Path) -> "_Owner":
        status = run_dir.stat()
        return cls(f"{status.st_dev}:{status.st_ino}", str(run_dir))

    @classmethod
    def read(cls, descriptor: int) -> "_Owner":
        place, _, path = os.pread(descriptor, limits.NOTE_MAX_BYTES, 0).partition(b" ")
        return cls(place.decode(errors="replace"), path.decode(errors="replace"))

    def write(self, descriptor: int) -> None:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{self.place} {self.path}".encode(), 0)


def take_range(run_dir: Path) -> UidRange:
    """Take the range of an installation: the one that it has or had last, else a free one.

    Raise `IsolationUnavailable` if DRAPEAU_FIRST_UID is not valid or names a range that another
    installation uses, if no range is free, or if the folder of the locks cannot be used.
    """
    setting = os.environ.get("DRAPEAU_FIRST_UID")
    if not setting:
        wanted = None
    elif setting.isdecimal() and limits.FIRST_UID <= int(setting) <= limits.FIRST_UID_MAX:
        wanted = int(setting)
    else:
        raise IsolationUnavailable(
            f"DRAPEAU_FIRST_UID is {setting!r}; it is a number from {limits.FIRST_UID} to"
            f" {limits.FIRST_UID_MAX}, the first of {limits.SLOTS} user ids"
        )
    owner = _Owner.of(run_dir)
    try:
        with closing(_Locks(FOLDER)) as locks:
            if wanted is not None:
                taken = locks.take(wanted, owner)
                if isinstance(taken, UidRange):
                    return taken
                raise IsolationUnavailable(
                    f"DRAPEAU_FIRST_UID names the user ids {wanted} to {wanted + limits.SLOTS - 1},"
                    " and bots of another installation use some of them (run directory"
                    f" {taken.path}). Remove the setting: then a free range is taken. Or name"
                    " another first user id"
                )
            remembered = run_dir / "slots" / "first_uid"
            for first in (*_remembered(remembered), *FIRST_UIDS):
                taken = locks.take(first, owner)
                if isinstance(taken, UidRange):
                    remembered.write_text(str(first))
                    return taken
            raise IsolationUnavailable(
                f"all {len(FIRST_UIDS)} ranges of user ids are in use by installations on this host"
            )
    except OSError as error:
        raise IsolationUnavailable(
            f"the user ids of bots could not be locked in {FOLDER}: {error.strerror}. All"
            " installations on a host need this folder, also those in containers"
        ) from error


def _remembered(file: Path) -> Iterator[int]:
    with suppress(FileNotFoundError, ValueError):
        first = int(file.read_text())
        if limits.FIRST_UID <= first <= limits.FIRST_UID_MAX:
            yield first


class _Locks:
    """The folder of locks, held while a range is chosen. Raise `OSError` if it cannot be used."""

    def __init__(self, folder: Path) -> None:
        with ExitStack() as undo:
            self._folder = _open_folder(folder)
            undo.callback(os.close, self._folder)
            self._path = folder
            self._choosing = self._open("choosing")
            undo.callback(os.close, self._choosing)
            fcntl.flock(self._choosing, fcntl.LOCK_EX)
            self._undo = undo.pop_all()

    def close(self) -> None:
        self._undo.close()

    def take(self, first: int, owner: _Owner) -> UidRange | _Owner:
        """Take a range, or return the other installation that uses a part of it."""
        with os.scandir(self._folder) as entries:
            names = [entry.name for entry in entries]
        for name in names:
            if name.isdecimal() and 0 < abs(int(name) - first) < limits.SLOTS:
                other = self._take(int(name), owner)
                if isinstance(other, _Owner):
                    return other
                other.release()
        return self._take(first, owner)

    def _take(self, first: int, owner: _Owner) -> UidRange | _Owner:
        with ExitStack() as undo:
            descriptor = self._open(str(first))
            undo.callback(os.close, descriptor)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = _Owner.read(descriptor)
                if holder.place != owner.place:
                    return holder
            else:
                owner.write(descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            undo.pop_all()
        return UidRange(first, descriptor)

    def _open(self, name: str) -> int:
        """Open a file that every user of the host may lock; make it if it is missing.

        Where everybody may write, the kernel refuses O_CREAT for the existing files of others.
        Everybody may also put links here, and this process may be root: it follows none of them.
        """
        flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        with ExitStack() as undo:
            try:
                descriptor = _open_or_make(name, flags, self._folder)
            except OSError as error:
                if error.errno == errno.ELOOP:
                    raise _not_a_lock(self._path / name) from error
                raise
            undo.callback(os.close, descriptor)
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
                raise _not_a_lock(self._path / name)
            undo.pop_all()
        return descriptor


def _open_or_make(name: str, flags: int, folder: int) -> int:
    with suppress(FileNotFoundError):
        return os.open(name, flags, dir_fd=folder)
    try:
        descriptor = os.open(name, flags | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder)
    except FileExistsError:  # another process has made it meanwhile
        return os.open(name, flags, dir_fd=folder)
    os.fchmod(descriptor, 0o666)
    return descriptor


def _open_folder(path: Path) -> int:
    """Open the folder of the locks, and make it if it is missing.

    Its owner can replace every file in it, so it must belong to root or to this user.
    """
    is_new = False
    with suppress(FileExistsError):
        path.mkdir()
        is_new = True
    try:
        folder = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_DIRECTORY)
    except NotADirectoryError as error:
        raise IsolationUnavailable(
            f"{path} is a link or a file, and the locks of the user ids of bots belong into a"
            f" folder of that name. Another user may have made it. Remove it: rm {path}"
        ) from error
    owner = os.fstat(folder).st_uid
    if owner not in (0, os.geteuid()):
        os.close(folder)
        raise IsolationUnavailable(
            f"{path} belongs to the user {owner}, who could replace the locks of the user ids of"
            f" bots. Give it to root, then all users can share it: chown root:root {path}"
        )
    if is_new:
        os.fchmod(folder, 0o1777)  # everybody writes
    return folder


def _not_a_lock(path: Path) -> IsolationUnavailable:
    return IsolationUnavailable(
        f"{path} is a link, has a second name or is no ordinary file; a lock of the user ids of"
        f" bots is a file with one name. Another user may have made it. Remove it: rm {path}"
    )
