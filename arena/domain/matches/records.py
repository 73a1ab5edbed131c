"""How the text of a record is kept in the database."""

import bz2
import zlib

BZIP2 = b"BZh"


def packed(*, text: str) -> bytes:
    """Compress the text of a record; of a long game to a third less than zlib would."""
    return bz2.compress(text.encode(), 9)


def unpacked(*, blob: bytes) -> str:
    """Return the text back, also of a record that was kept under zlib, as once they all were."""
    is_bzip2 = blob.startswith(BZIP2)
    return (bz2.decompress(blob) if is_bzip2 else zlib.decompress(blob)).decode()
