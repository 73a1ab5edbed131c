"""Uploaded bots: from untrusted bytes to named files with a digest.

A bot is a single file of source, or a zip with `drapeau.toml` at its top (or at the top of its only
folder). `sandbox.uploads.unzip` opens a zip in its own process, with very few resources.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath

from botkit import languages
from botkit.manifest import BadUpload
from botkit.package import Package, package_of, single_file, without_top_folder
from sandbox import limits

UNZIP_PROGRAM = Path(__file__).with_name("unzip.py")


def unpack(data: bytes, filename: str) -> Package:
    """Return the package in an upload. Raise `BadUpload`."""
    if not data:
        raise BadUpload("empty_file", "the file is empty")
    if len(data) > limits.UPLOAD_MAX_BYTES:
        most = limits.UPLOAD_MAX_BYTES // limits.MIB
        raise BadUpload("too_large", f"the file has {len(data)} bytes; the most is {most} MiB")
    language = languages.of_file(filename)
    if language is not None:
        return single_file(data, filename, language)
    suffix = PurePosixPath(filename.replace("\\", "/")).suffix.lower()
    if suffix == ".zip":
        return package_of(without_top_folder(_unzip(data)))
    known = ", ".join(languages.suffixes())
    raise BadUpload(
        "wrong_extension",
        f"a bot is one file of source ({known}) or a .zip, not {suffix or 'without an extension'}",
    )


def _unzip(data: bytes) -> dict[str, bytes]:
    """Have a separate process read the zip; check its output against the limits."""
    most = limits.UNPACKED_MAX_BYTES + limits.UNPACKED_HEADER_MAX_BYTES
    numbers = (
        limits.INSPECT_MEMORY_BYTES,
        limits.INSPECT_CPU_S,
        limits.INSPECT_WALL_S,
        limits.UNPACKED_MAX_BYTES,
        limits.ENTRIES_MAX,
        limits.PATH_MAX_BYTES,
    )
    with tempfile.TemporaryFile() as upload:
        upload.write(data)
        upload.seek(0)
        child = subprocess.Popen(  # noqa: S603 - a fixed program of ours; the upload is only its input
            [sys.executable, "-I", "-S", str(UNZIP_PROGRAM), *map(str, numbers)],
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
