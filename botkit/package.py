"""A bot as files: its package, the digest of exactly these files, and its zip.

The arena and an author at home compute the same digest of the same bot.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from botkit.languages import Language
from botkit.manifest import (
    MANIFEST_NAME,
    BadUpload,
    Manifest,
    default_manifest,
    read_manifest,
)

ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip can store: equal bots, equal bytes
UPLOAD_MAX_BYTES = 5 * 1024 * 1024  # of a packed bot, as a site takes it
LITTER = ("__MACOSX", "__pycache__", ".DS_Store", ".git")


@dataclass(frozen=True, slots=True)
class Package:
    """A bot that is ready to play: its files by relative path, and the digest of exactly these.

    `artefact` is the compiled file if the language is compiled, and empty before that.
    """

    manifest: Manifest
    files: Mapping[str, bytes]
    digest: str
    artefact: bytes = b""


def read_folder(folder: Path) -> Package:
    """Return the bot in a folder, as it is after an upload of its zip.

    Raise `BadUpload` for a folder that is not a bot, and OSError.
    """
    files = {name: path.read_bytes() for name, path in _files(folder)}
    return Package(read_manifest(files), files, digest_of(files))


def single_file(data: bytes, filename: str, language: Language) -> Package:
    """Return the bot that a single file of source is. Raise `BadUpload`."""
    if b"\0" in data:
        raise BadUpload("not_text", f"the {language.title} file is not text")
    manifest = default_manifest(filename, language)
    files = {manifest.entry: data}
    return Package(manifest, files, digest_of(files))


def digest_of(files: Mapping[str, bytes]) -> str:
    """Return the digest of files by content and path: SHA-256 over sorted paths and digests."""
    whole = hashlib.sha256()
    for path in sorted(files):
        content = hashlib.sha256(files[path]).hexdigest()
        whole.update(json.dumps([path, content]).encode() + b"\n")
    return whole.hexdigest()


def pack(folder: Path) -> bytes:
    """Return a zip of a bot's folder without tools' left-overs; equal folders give equal bytes."""
    return zipped({name: path.read_bytes() for name, path in _files(folder)})


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of files by path; equal files give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, date_time=ZIP_EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()


def is_litter(path: str) -> bool:
    """Return whether a file is a left-over of tools and not part of a bot."""
    parts = PurePosixPath(path).parts
    return any(part in LITTER for part in parts) or path.endswith(".pyc")


def without_top_folder(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a bot from those of a zip: without litter and the folder around all."""
    kept = {path: content for path, content in files.items() if not is_litter(path)}
    tops = {path.partition("/")[0] for path in kept}
    if MANIFEST_NAME in kept or len(tops) != 1:
        return kept
    prefix = f"{tops.pop()}/"
    if f"{prefix}{MANIFEST_NAME}" not in kept:
        return kept
    return {path.removeprefix(prefix): content for path, content in kept.items()}


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of a bot with their relative paths, sorted, without links and litter."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not path.is_symlink() and not is_litter(name):
            yield name, path
