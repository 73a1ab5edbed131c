"""Files and folders that are whole or not there, even where the program ends amid writing."""

import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, content: bytes, *, executable: bool = False) -> None:
    """Write a file into a folder that is there. Raise OSError, and then leave nothing new."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".unfinished-") as folder:
        unfinished = Path(folder) / path.name
        unfinished.write_bytes(content)
        if executable:
            unfinished.chmod(0o755)
        unfinished.replace(path)


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files, by path, into a new or empty folder. Raise OSError, and then leave nothing new.

    A folder that was there stays the same one: a shell may be in it.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=folder, prefix=".unfinished-") as unfinished:
            for name, content in files.items():
                path = Path(unfinished) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            for path in list(Path(unfinished).iterdir()):
                path.replace(folder / path.name)
    except BaseException:
        with suppress(OSError):
            if is_new:
                folder.rmdir()
        raise
