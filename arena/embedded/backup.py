"""Backups: folders with a manifest of digests, and those of a site that is one folder.

A backup holds secrets, so its folder and its files are readable by their owner only.
"""

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from arena import release
from arena.data_dir import replace_secret
from arena.embedded.folder import DATABASE, KEYS, MANIFEST, hold

FORMAT = 1
ONE_FOLDER = "one folder"
SECRETS_INSIDE = (
    "The backup holds secrets: the keys of the site, the hashes of passwords and the addresses of"
    " users. Keep it where nobody else can read it."
)


class BackupFailed(Exception):
    """What the operator has to know and can do. The site is as it was before."""


def new_folder(beside: Path) -> Path:
    """Return a name for a backup that is made now."""
    return beside / datetime.now(UTC).strftime("%Y-%m-%dT%H%M%SZ")


@contextmanager
def writing(folder: Path, *, kind: str) -> Iterator[Path]:
    """Yield a folder to put files into. It gets a manifest and its name when the block ends.

    Raise BackupFailed. If the block fails, nothing is left.
    """
    partial = folder.with_name(f"{folder.name}.partial")
    if folder.exists():
        raise BackupFailed(f"{folder} exists already: name another folder for the backup.")
    shutil.rmtree(partial, ignore_errors=True)  # of a backup that was killed
    partial.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial.mkdir(mode=0o700)
    try:
        yield partial
        files = sorted(partial.iterdir())
        for file in files:
            file.chmod(0o600)
        manifest = {
            "format": FORMAT,
            "kind": kind,
            "version": release.version(),
            "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "files": {file.name: _described(file) for file in files},
        }
        (partial / MANIFEST).touch(mode=0o600)
        (partial / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
        partial.rename(folder)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def check(folder: Path, *, kind: str) -> None:
    """Raise BackupFailed unless the folder is a whole backup that this version can restore."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        files = dict(manifest["files"])
        stated, version = (manifest["format"], manifest["kind"]), str(manifest["version"])
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise BackupFailed(
            f"{folder} is no backup, because {MANIFEST} in it cannot be read: {problem}. Name the"
            " folder that a backup made."
        ) from problem
    if stated != (FORMAT, kind):
        raise BackupFailed(
            f"{folder} is a backup of another kind ({stated[1]}, format {stated[0]}); this restores"
            f" {kind}, format {FORMAT}."
        )
    if _order(version) > _order(release.version()):
        raise BackupFailed(
            f"{folder} was made by version {version}, and this is {release.version()}, which may"
            f" not understand its database. Install version {version} or a later one first."
        )
    for name, described in files.items():
        if not (folder / name).is_file() or _described(folder / name) != described:
            raise BackupFailed(
                f"{folder / name} is missing or is not as the backup wrote it. Take another backup,"
                " or another copy of this one."
            )


def back_up(data_dir: Path, folder: Path) -> None:
    """Back up the site of a data folder, which may be running. Raise BackupFailed."""
    if not (data_dir / DATABASE).is_file():
        raise BackupFailed(f"there is no site in {data_dir}: name its folder with --data.")
    with writing(folder, kind=ONE_FOLDER) as partial:
        _copy_database(data_dir / DATABASE, partial / DATABASE)
        for name in KEYS:
            if (data_dir / name).exists():
                shutil.copyfile(data_dir / name, partial / name)


def restore(folder: Path, data_dir: Path, *, replace: bool) -> None:
    """Put a backup into a data folder. Raise BackupFailed, or StartFailed if a site runs there."""
    check(folder, kind=ONE_FOLDER)
    with hold(data_dir):
        if (data_dir / DATABASE).exists() and not replace:
            raise BackupFailed(
                f"there is a site in {data_dir} already. To lose it and have the one of the backup,"
                " repeat this with --replace; otherwise name another folder with --data."
            )
        for name in KEYS:
            if (folder / name).exists():
                replace_secret(data_dir / name, (folder / name).read_text(encoding="ascii"))
        _copy_database(folder / DATABASE, data_dir / DATABASE)


def _copy_database(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment. The target changes in one step, or not at all."""
    if target.exists():
        try:
            _copy_into(source, target)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            pass  # the target is damaged, so it goes as a file
        else:
            return
    partial = target.with_name(f"{target.name}.partial")
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    try:
        _copy_into(source, partial)
        for journal in ("-wal", "-shm"):  # of the damaged one: SQLite would apply them to the copy
            target.with_name(f"{target.name}{journal}").unlink(missing_ok=True)
        partial.rename(target)
    finally:
        partial.unlink(missing_ok=True)


def _copy_into(source: Path, written: Path) -> None:
    existing = f"{source.as_uri()}?mode=rw"  # a missing file is an error, and no empty database
    with (
        closing(sqlite3.connect(existing, uri=True)) as old,
        closing(sqlite3.connect(written)) as new,
    ):
        old.backup(new)


def _described(file: Path) -> dict[str, str | int]:
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    return {"sha256": digest, "size_bytes": file.stat().st_size}


def _order(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdigit()]
