"""Files that are whole or not there, even where the program ends in the midst of writing."""

import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes, *, executable: bool = False) -> None:
    """Write a file into a folder that is there. Raise OSError, and then leave nothing new."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".unfinished-") as folder:
        unfinished = Path(folder) / path.name
        unfinished.write_bytes(content)
        if executable:
            unfinished.chmod(0o755)
        unfinished.replace(path)
