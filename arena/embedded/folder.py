"""The folder of a site: whose it is, who holds it, and whether it can be used."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TextIO

from arena import release
from arena.embedded.refusal import StartFailed
from arena.embedded.tcp import free_port
from sandbox.host import disk

LOCK = "site.lock"  # says which process has the site
DATABASE = "drapeau.sqlite3"
KEYS = ("secret_key", "record_key")
MANIFEST = "manifest.json"  # of a backup
_OF_A_DISK = {"lost+found"}  # in a folder that is a whole file system
_WAIT_S = 20.0  # for another program that writes to the database
_ANOTHER = "Choose another folder with --data"
_RESTORE = "Restore a backup with `drapeau-server restore --replace`, or choose another folder"


@contextmanager
def hold(data_dir: Path) -> Iterator[TextIO]:
    """Hold the folder for this process; the kernel lets go of it when we die.

    Yield the file that says who holds it. Raise StartFailed.
    """
    with usable(data_dir):
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        names = {entry.name for entry in data_dir.iterdir()} - _OF_A_DISK
        if MANIFEST in names:
            raise StartFailed(
                f"{data_dir} is a backup, which a site would change. {_ANOTHER}, and put the "
                "backup there with `drapeau-server restore`."
            )
        if names and names.isdisjoint({LOCK, DATABASE, *KEYS}):
            raise StartFailed(
                f"{data_dir} holds other things, such as {min(names)}, and no site. {_ANOTHER}: an "
                "empty one, or one that is not there yet."
            )
        lock = (data_dir / LOCK).open("a+", encoding="utf-8")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise StartFailed(
                f"a site is running on {data_dir} already ({lock.read()}). End that one with "
                "Ctrl-C, or give this one another folder and port, such as "
                f"--data {data_dir}-2 --port {free_port()}"
            ) from None
        name_holder(lock, f"process {os.getpid()}")
        yield lock


def name_holder(lock: TextIO, who: str) -> None:
    """Write into the lock who has the site, for whoever is refused. A full disk is borne."""
    os.ftruncate(lock.fileno(), 0)
    with suppress(OSError):
        os.write(lock.fileno(), who.encode())


@contextmanager
def usable(data_dir: Path) -> Iterator[None]:
    """Make a StartFailed of an OSError: which file cannot be used, and why."""
    try:
        yield
    except OSError as problem:
        file = problem.filename or data_dir
        which = "" if Path(file) == data_dir else f" ({file})"
        raise StartFailed(
            f"the folder {data_dir} cannot be used: {problem.strerror or problem}{which}. Choose a "
            "folder in which you may write with --data."
        ) from problem


def check_room(data_dir: Path) -> None:
    """Raise StartFailed unless the disk has the room without which no match is begun either."""
    if shortage := disk.shortage(data_dir):
        raise StartFailed(f"{shortage}, or choose a folder on another disk with --data.")


def check_database(data_dir: Path) -> None:
    """Raise StartFailed unless this release can use the database, or there never was one."""
    path = data_dir / DATABASE
    if not path.exists() or path.stat().st_size == 0:
        if (data_dir / "record_key").exists():  # a site makes it after its database
            raise StartFailed(f"the database of the site, {path}, is gone or empty. {_RESTORE}.")
        return
    try:
        applied = _applied(path)
    except sqlite3.OperationalError as problem:
        raise StartFailed(
            f"the database {path} cannot be written: {problem}. Make sure that you may write it "
            "and that no other program uses it."
        ) from problem
    except sqlite3.DatabaseError as problem:
        raise StartFailed(f"the database {path} is damaged: {problem}. {_RESTORE}.") from problem
    if applied is None:
        raise StartFailed(f"the database {path} is not one of a site. {_ANOTHER}.")
    migrations = release.ROOT / "arena" / "migrations"
    if later := applied - {file.stem for file in migrations.glob("[0-9]*.py")}:
        raise StartFailed(
            f"the database {path} is of a later release, which changed it with {min(later)}; this "
            f"is {release.version()}. Install that release, or choose another folder with --data."
        )


def _applied(path: Path) -> set[str] | None:
    """Return the migrations of the site in a database; None if other programs filled it."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=_WAIT_S)) as rows:
        rows.execute("BEGIN IMMEDIATE")  # fails where we may only read
        tables = {name for (name,) in rows.execute("SELECT name FROM sqlite_schema")}
        if "django_migrations" not in tables:
            return None if tables else set()
        return {
            name
            for (name,) in rows.execute("SELECT name FROM django_migrations WHERE app = 'arena'")
        }
