"""The sources of uploads as text, to be compared; nothing here is run."""

import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from django.conf import settings

from arena.domain.bots import languages
from arena.models import Version

MOST_BYTES = 64 * 1024  # of a version, all files together; the rest is not compared
MOST_FILES = 100


def of(*, version: Version) -> list[str]:
    """Return the sources of a version, file by file; of what cannot be read, nothing."""
    data = bytes(version.archive.data)
    if not version.filename.lower().endswith(languages.ZIP):
        return [_text(data)]
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = [name for name in sorted(packed.namelist()) if _is_source(name)]
            return list(_beginnings(packed, names[:MOST_FILES]))
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError):
        return []


def of_the_house() -> tuple[str, ...]:
    """Return the sources that everybody may start from: house bots and starter kits."""
    return _house(Path(settings.HOUSE_BOTS_DIR))


@cache
def _house(folder: Path) -> tuple[str, ...]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return tuple(_text(path.read_bytes()) for path in files if _is_source(path.name))


def _is_source(name: str) -> bool:
    return name.endswith(languages.EXTENSIONS) and not name.endswith(languages.ZIP)


def _beginnings(packed: zipfile.ZipFile, names: Sequence[str]) -> Iterator[str]:
    """Yield file after file until there is enough of them: a few bytes may unpack to very many."""
    left = MOST_BYTES
    for name in names:
        if left:
            with packed.open(name) as file:
                data = file.read(left)
            left -= len(data)
            yield _text(data)


def _text(data: bytes) -> str:
    return data[:MOST_BYTES].decode(errors="replace")
