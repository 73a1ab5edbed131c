"""Uploaded bots: from untrusted bytes to named files with a digest, and from a folder to a zip.

A bot is a single file of source, or a zip with `drapeau.toml` at its top (or at the top of its only
folder). `sandbox.uploads.unzip` opens a zip in its own process, with very few resources.
"""

import hashlib
import io
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sandbox import limits
from sandbox.refusal import BadUpload
from sandbox.uploads import languages
from sandbox.uploads.languages import Language
from sandbox.uploads.manifest import MANIFEST_NAME, Manifest, default_manifest, read_manifest

UNZIP_PROGRAM = Path(__file__).with_name("unzip.py")
ZIP_EPOCH = (
    1980,
    1,
    1,
    0,
    0,
    0,
)  # the earliest time a zip can store: packing twice gives the same bytes
ZIP_SUFFIX = ".zip"
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


def unpack(data: bytes, filename: str) -> Package:
    """Return the package in an upload. Raise `BadUpload`."""
    if not data:
        raise BadUpload("empty_file", "the file is empty")
    if len(data) > limits.UPLOAD_MAX_BYTES:
        most = limits.UPLOAD_MAX_BYTES // limits.MIB
        raise BadUpload("too_large", f"the file has {len(data)} bytes; the most is {most} MiB")
    language = languages.of_file(filename)
    if language is not None:
        return _single_file(data, filename, language)
    suffix = PurePosixPath(filename.replace("\\", "/")).suffix.lower()
    if suffix == ZIP_SUFFIX:
        files = _without_top_folder(_unzip(data))
        return Package(read_manifest(files), files, digest_of(files))
    known = ", ".join(languages.suffixes())
    raise BadUpload(
        "wrong_extension",
        f"a bot is one file of source ({known}) or a .zip, not {suffix or 'without an extension'}",
    )


def digest_of(files: Mapping[str, bytes]) -> str:
    """Return the digest of files by content and path: SHA-256 over sorted paths and digests."""
    whole = hashlib.sha256()
    for path in sorted(files):
        content = hashlib.sha256(files[path]).hexdigest()
        whole.update(json.dumps([path, content]).encode() + b"\n")
    return whole.hexdigest()


def pack(folder: Path) -> bytes:
    """Return a zip of a bot's folder without tools' left-overs; equal folders give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and not path.is_symlink() and not is_litter(name):
                entry = zipfile.ZipInfo(name, date_time=ZIP_EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.create_system = 3
                entry.external_attr = 0o100644 << 16
                archive.writestr(entry, path.read_bytes())
    return buffer.getvalue()


def is_litter(path: str) -> bool:
    """Return whether a file is a left-over of tools and not part of a bot."""
    parts = PurePosixPath(path).parts
    return any(part in LITTER for part in parts) or path.endswith(".pyc")


def _single_file(data: bytes, filename: str, language: Language) -> Package:
    if b"\0" in data:
        raise BadUpload("not_text", f"the {language.title} file is not text")
    manifest = default_manifest(filename, language)
    files = {manifest.entry: data}
    return Package(manifest, files, digest_of(files))


def _without_top_folder(files: Mapping[str, bytes]) -> dict[str, bytes]:
    kept = {path: content for path, content in files.items() if not is_litter(path)}
    tops = {path.partition("/")[0] for path in kept}
    if MANIFEST_NAME in kept or len(tops) != 1:
        return kept
    prefix = f"{tops.pop()}/"
    if f"{prefix}{MANIFEST_NAME}" not in kept:
        return kept
    return {path.removeprefix(prefix): content for path, content in kept.items()}


def _unzip(data: bytes) -> dict[str, bytes]:
    """Have a separate process read the zip; check its output against the limits."""
    most = limits.UNPACKED_MAX_BYTES + limits.UNPACKED_HEADER_MAX_BYTES
    with tempfile.TemporaryFile() as upload:
        upload.write(data)
        upload.seek(0)
        child = subprocess.Popen(  # noqa: S603 - a fixed program of ours; the upload is only its input
            [sys.executable, "-I", "-S", str(UNZIP_PROGRAM), *_unzip_limits()],
            stdin=upload,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
        )
        with child:
            output = child.stdout.read(most + 1) if child.stdout else b""
            if len(output) > most:
                child.kill()
    if child.returncode != 0:
        raise BadUpload("too_costly", "the zip could not be read within the limits set for that")
    return _read_unzipped(output)


def _unzip_limits() -> list[str]:
    numbers = (
        limits.INSPECT_MEMORY_BYTES,
        limits.INSPECT_CPU_S,
        limits.INSPECT_WALL_S,
        limits.UNPACKED_MAX_BYTES,
        limits.ENTRIES_MAX,
        limits.PATH_MAX_BYTES,
    )
    return [str(number) for number in numbers]


def _read_unzipped(output: bytes) -> dict[str, bytes]:
    head, _, body = output.partition(b"\n")
    header = json.loads(head)
    if "code" in header:
        raise BadUpload(header["code"], header["message"])
    files: dict[str, bytes] = {}
    offset = 0
    for path, size in header["files"]:
        files[path] = body[offset : offset + size]
        offset += size
    return files
