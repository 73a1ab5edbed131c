"""The data folder of an installation without services: database, broker and secret."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path


def make_data_dir(path: Path) -> Path:
    """Create the folder, readable by its owner only. Return its absolute path."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path.resolve()


def make_broker_folders(data_dir: Path) -> dict[str, str]:
    """Create the folders of the filesystem broker. Return kombu's transport options.

    All folders are on one file system, because kombu takes a message by renaming it, which is
    atomic only there.
    """
    folders = {name: data_dir / "broker" / name for name in ("queue", "processed", "control")}
    for folder in folders.values():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return {
        "data_folder_in": str(folders["queue"]),
        "data_folder_out": str(folders["queue"]),
        "processed_folder": str(folders["processed"]),
        "control_folder": str(folders["control"]),
    }


def _new_secret() -> str:
    return secrets.token_urlsafe(50)


def read_or_make_secret(path: Path, make: Callable[[], str] = _new_secret) -> str:
    """Return the secret in the file. The first process creates it, readable by its owner only."""
    if not path.exists():
        candidate = _written_beside(path, make())
        try:
            # A link fails if the name exists, so only one of several starting processes succeeds.
            os.link(candidate, path)
        except FileExistsError:
            pass
        finally:
            candidate.unlink()
    return path.read_text(encoding="ascii").strip()


def replace_secret(path: Path, secret: str) -> None:
    """Put another secret into the file, at once for every reader."""
    _written_beside(path, secret).replace(path)


def _written_beside(path: Path, secret: str) -> Path:
    """Write a secret to a new file in the same folder, readable by its owner only."""
    candidate = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    candidate.touch(mode=0o600)
    candidate.write_text(secret, encoding="ascii")
    return candidate
