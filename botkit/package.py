"""A bot as files: its package, the digest of exactly these files, and its zip.

The arena and an author at home compute the same digest of the same bot.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from botkit import languages
from botkit.folder import NotPacked, listed
from botkit.ignoring import BYTECODE, LITTER
from botkit.languages import Language
from botkit.manifest import (
    MANIFEST_NAME,
    UTF_8_MARK,
    BadUpload,
    Manifest,
    check_encoding,
    default_manifest,
    missing_entry,
    no_manifest,
    parsed,
    read_manifest,
)

ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip can store: equal bots, equal bytes
UPLOAD_MAX_BYTES = 5 * 1024 * 1024  # of a packed bot, as a site takes it


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

    Raise `BadUpload` for a folder that is not a bot, NotPacked for one that no site takes, and
    OSError.
    """
    if not (folder / MANIFEST_NAME).is_file():
        raise no_manifest()
    listing = listed(folder)
    try:
        return package_of({name: path.read_bytes() for name, path in listing.paths.items()})
    except BadUpload as refusal:
        if refusal.code not in ("missing_entry", "no_manifest") or not listing.left_out:
            raise
        left_out = ", ".join(listing.left_out)
        why = f"{refusal.message}. What is left out of the bot: {left_out}"
        raise BadUpload(refusal.code, why) from refusal


def read_described(manifest: Path) -> Package:
    """Return the bot that a manifest describes, with the other files of its folder.

    A folder may have further manifests beside `drapeau.toml`, for the same program with other
    settings. The bot of such a one has it as its `drapeau.toml`. Raise as `read_folder` does.
    """
    package = read_folder(manifest.parent)
    if manifest.name == MANIFEST_NAME:
        return package
    files = {name: content for name, content in package.files.items() if name != manifest.name}
    try:
        return package_of({**files, MANIFEST_NAME: manifest.read_bytes()})
    except BadUpload as refusal:
        why = refusal.message.replace(MANIFEST_NAME, manifest.name)
        raise BadUpload(refusal.code, why) from refusal


def read_to_play(folder: Path) -> Package:
    """Return the bot in a folder that is to play there. Raise `BadUpload` and OSError.

    If no site would take the folder, and nothing is compiled, nothing but the manifest is read:
    there are no files and no digest.
    """
    try:
        return read_folder(folder)
    except NotPacked:
        manifest = parsed((folder / MANIFEST_NAME).read_bytes())
        language = languages.find(manifest.language)
        if language is None or language.compiled:
            raise
    if ".." in PurePosixPath(manifest.entry).parts or not (folder / manifest.entry).is_file():
        raise missing_entry(manifest)
    return Package(manifest, {}, "")


def package_of(files: Mapping[str, bytes]) -> Package:
    """Return the bot that unpacked files are. Raise `BadUpload`.

    Its sources lose a mark of UTF-8 where their compiler refuses it.
    """
    manifest = read_manifest(files)
    language = languages.find(manifest.language)
    suffixes = language.suffixes if language else ()
    files = {
        name: _source(content, name, language) if name.endswith(suffixes) else content
        for name, content in files.items()
    }
    return Package(manifest, files, digest_of(files))


def _source(content: bytes, name: str, language: Language | None) -> bytes:
    check_encoding(content, name, "not_text")
    if language is not None and language.refuses_mark:
        return content.removeprefix(UTF_8_MARK)
    return content


def single_file(data: bytes, filename: str, language: Language) -> Package:
    """Return the bot that a single file of source is. Raise `BadUpload`."""
    if not data:
        raise BadUpload("empty_file", "the file is empty")
    source = _source(data, f"the {language.title} file", language)
    if b"\0" in source:
        raise BadUpload("not_text", f"the {language.title} file is not text")
    manifest = default_manifest(filename, language)
    files = {manifest.entry: source}
    return Package(manifest, files, digest_of(files))


def digest_of(files: Mapping[str, bytes]) -> str:
    """Return the digest of files by content and path: SHA-256 over sorted paths and digests."""
    whole = hashlib.sha256()
    for path in sorted(files):
        content = hashlib.sha256(files[path]).hexdigest()
        whole.update(json.dumps([path, content]).encode() + b"\n")
    return whole.hexdigest()


def pack(folder: Path) -> bytes:
    """Return a zip of a bot's folder without what is left out; equal folders give equal bytes.

    Raise `BadUpload` and OSError.
    """
    return zipped({name: path.read_bytes() for name, path in listed(folder).paths.items()})


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
    return any(part in LITTER for part in parts) or path.endswith(BYTECODE)


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
