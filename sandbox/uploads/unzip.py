"""Read an untrusted zip; run as a separate program, never imported by the site.

Usage: unzip.py MEMORY CPU_S WALL_S TOTAL_BYTES ENTRIES PATH_BYTES < upload.zip
Writes one JSON line, {"files": [[path, size], ...]}, then the contents of the files one after
another; or {"code": ..., "message": ...} if the zip is refused. Standard library only: it starts
without site-packages, inside limits that it sets for itself before it reads the first byte.
"""

import json
import resource
import signal
import stat
import struct
import sys
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable

LOCAL_HEADER = struct.Struct("<4s5H3L2H")
CHUNK_BYTES = 64 * 1024
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1


class ZipRefusedError(Exception):
    """A code and a sentence for the author of the upload."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def confine(memory_bytes: int, cpu_s: int, wall_s: int) -> None:
    """Give up all resources that reading a zip does not need."""
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(wall_s)


def check_name(name: str, path_max_bytes: int) -> None:
    """Refuse every name that is empty, or that could mean another place on some machine."""
    shown = repr(name[:80])
    if len(name.encode("utf-8", "surrogatepass")) > path_max_bytes:
        raise ZipRefusedError(
            "long_name", f"a name in the zip is longer than {path_max_bytes} bytes: {shown}"
        )
    if "\\" in name:
        raise ZipRefusedError("bad_path", f"a name in the zip has a backslash: {shown}")
    if not name or not name.isprintable():
        raise ZipRefusedError(
            "bad_path", f"a name in the zip has characters that cannot be shown: {shown}"
        )
    if name.startswith("/") or ":" in name:
        raise ZipRefusedError("bad_path", f"a name in the zip is an absolute path: {shown}")
    parts = name.removesuffix("/").split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise ZipRefusedError("bad_path", f"a name in the zip leaves its folder: {shown}")


def check_kind(entry: zipfile.ZipInfo) -> None:
    """Refuse what is not a plain file or folder, is encrypted, or is packed in a rare way."""
    shown = repr(entry.filename[:80])
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ZipRefusedError("special_file", f"the zip holds a link or a special file: {shown}")
    if entry.flag_bits & ENCRYPTED:
        raise ZipRefusedError("encrypted", f"the zip is encrypted: {shown}")
    if entry.compress_type not in METHODS:
        raise ZipRefusedError("unknown_packing", f"packed in a way that is not read here: {shown}")


def check_clashes(names: Iterable[str]) -> None:
    """Refuse two entries for one place, ignoring case, and a file that is also a folder."""
    seen: set[str] = set()
    for name in names:
        folded = fold(name)
        if folded in seen:
            raise ZipRefusedError("duplicate", f"the zip holds {name[:80]!r} twice")
        seen.add(folded)
    files = {folded for folded in seen if not folded.endswith("/")}
    for name in seen:
        parts = name.removesuffix("/").split("/")
        inner = parts if name.endswith("/") else parts[:-1]
        for depth in range(1, len(inner) + 1):
            if "/".join(inner[:depth]) in files:
                raise ZipRefusedError(
                    "file_and_folder", f"a file and a folder share a name: {name[:80]!r}"
                )


def fold(name: str) -> str:
    """Return the form of a name that is equal for names that mean one file on some machine."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def check_overlap(upload: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> None:
    """Refuse entries that share bytes: a zip bomb counts one small stretch many times."""
    end = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < end:
            raise ZipRefusedError("overlap", f"entries of the zip overlap: {entry.filename[:80]!r}")
        stream = upload.fp
        if stream is None:
            raise ZipRefusedError("not_a_zip", "the file is not a zip")
        stream.seek(entry.header_offset)
        head = stream.read(LOCAL_HEADER.size)
        if len(head) != LOCAL_HEADER.size:
            raise ZipRefusedError("damaged", "the zip is cut short")
        name_bytes, extra_bytes = LOCAL_HEADER.unpack(head)[-2:]
        end = (
            entry.header_offset + LOCAL_HEADER.size + name_bytes + extra_bytes + entry.compress_size
        )
    if end > upload.start_dir:
        raise ZipRefusedError("overlap", "the last entry of the zip runs into its table")


def extract(
    upload: zipfile.ZipFile, entries: list[zipfile.ZipInfo], total: int
) -> dict[str, bytes]:
    """Read every file and count the bytes that come out; do not trust the sizes in the zip."""
    files: dict[str, bytes] = {}
    left = total
    for entry in entries:
        if entry.is_dir():
            continue
        content = bytearray()
        with upload.open(entry) as stream:
            while chunk := stream.read(CHUNK_BYTES):
                content += chunk
                left -= len(chunk)
                if left < 0:
                    raise ZipRefusedError("zip_bomb", f"the zip unpacks to more than {total} bytes")
        files[entry.filename] = bytes(content)
    return files


def read_zip(total: int, entries_max: int, path_max_bytes: int) -> dict[str, bytes]:
    """Check the zip's table of entries, then read the files."""
    with zipfile.ZipFile(sys.stdin.buffer) as upload:
        entries = upload.infolist()
        if len(entries) > entries_max:
            raise ZipRefusedError(
                "too_many_entries", f"the zip holds more than {entries_max} entries"
            )
        for entry in entries:
            # Two names: as written, and as the library understands it (it may take the name from an
            # extra field, or cut it).
            check_name(entry.orig_filename, path_max_bytes)
            check_name(entry.filename, path_max_bytes)
            check_kind(entry)
        check_clashes(entry.filename for entry in entries)
        check_overlap(upload, entries)
        return extract(upload, entries, total)


def main(arguments: list[str]) -> int:
    """Write the answer to stdout; return 0 if there is an answer."""
    memory, cpu_s, wall_s, total, entries, path_bytes = (int(number) for number in arguments)
    confine(memory, cpu_s, wall_s)
    files: dict[str, bytes] = {}
    try:
        files = read_zip(total, entries, path_bytes)
        header: dict[str, object] = {"files": [[path, len(files[path])] for path in files]}
    except ZipRefusedError as refusal:
        header = {"code": refusal.code, "message": str(refusal)}
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        ValueError,
        OSError,
    ) as error:
        known = isinstance(error, zipfile.BadZipFile) and "not a zip" in str(error)
        code, words = (
            ("not_a_zip", "the file is not a zip")
            if known
            else ("damaged", f"the zip is damaged: {error}")
        )
        header = {"code": code, "message": words}
    out = sys.stdout.buffer
    out.write(json.dumps(header).encode() + b"\n")
    out.writelines(files.values())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
