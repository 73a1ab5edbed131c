"""Records of games that a site offers as files: one a line (NDJSON), compressed with gzip or not.

from botkit.data import records

for record in records("records"):  # a file, or a folder of files
    print(record.game, record.result.points)
"""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

from engine.errors import BadRecord
from engine.record import Record

PACKED = ".gz"
SUFFIXES = (".ndjson", f".ndjson{PACKED}")
LINE_MAX_BYTES = 64 * 2**20


class BadFile(Exception):
    """A file of records cannot be read; the text says which, in which line, and what to do."""


def records(place: str | Path) -> Iterator[Record]:
    """Yield the records of a file, or of the files of a folder in the order of their names.

    One record is in memory at a time. Raise BadFile.
    """
    for file in _files(Path(place)):
        number = 0
        try:
            with gzip.open(file) if file.suffix == PACKED else file.open("rb") as lines:
                while line := lines.readline(LINE_MAX_BYTES):
                    number += 1
                    if line.strip():
                        yield Record.from_json(line)
        except (EOFError, gzip.BadGzipFile, zlib.error) as problem:
            why = f"the file is damaged behind line {number}"
            raise BadFile(f"{file}: {why}. Delete it, and download it again") from problem
        except OSError as problem:
            raise _unreadable(file, problem) from problem
        except BadRecord as problem:
            raise BadFile(f"{file}, line {number}: {problem}") from problem


def _files(place: Path) -> list[Path]:
    """Return the files of records. Raise BadFile if there are none, or a folder is closed."""
    try:
        if not place.is_dir():
            return [place]
        files = sorted(path for path in place.iterdir() if path.name.endswith(SUFFIXES))
    except OSError as problem:
        raise _unreadable(place, problem) from problem
    if not files:
        names = " or ".join(f"*{suffix}" for suffix in SUFFIXES)
        raise BadFile(f"{place}: there is no file {names} here. Download some: drapeau data")
    return files


def _unreadable(path: Path, problem: OSError) -> BadFile:
    return BadFile(f"{path}: cannot be read: {problem.strerror or problem}")
