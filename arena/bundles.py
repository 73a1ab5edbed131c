"""One style sheet and one script for all pages, made of the files of `arena/static`.

They are static files like any other: `collectstatic` hashes and compresses them. A site that has
collected nothing makes them when it starts, or when it is asked for them in debug mode.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.files.storage import FileSystemStorage, Storage

from botkit import replay_page

SOURCES = Path(__file__).parent / "static"
SHEETS = (  # of rules in the same layer, the later ones win
    *("tokens", "base", "layout", "components", "forms", "board", "replay", "moves"),
    *("leaderboard", "matches", "staff", "forensics", "versions", "pages", "reading", "ledger"),
    *("tournaments", "standings", "crosstable", "drafts", "printing", "organizing", "person"),
    *("bracket", "bracket-print"),
)
LIBRARIES = ("vendor/htmx-4.0.1.min.js",)
MODULES = (*replay_page.MODULES, "js/dropzone.js", "js/site.js", "js/follow.js")


def _texts(paths: Iterable[str]) -> Iterator[str]:
    return ((SOURCES / path).read_text(encoding="utf-8") for path in paths)


BUNDLES: dict[str, Callable[[], str]] = {
    "site.css": lambda: "".join(_texts(f"css/{name}.css" for name in SHEETS)),
    "site.js": lambda: ";\n".join([*_texts(LIBRARIES), replay_page.as_script(MODULES)]),
}


class BundleFinder(finders.BaseFinder):
    """Finds the bundles, which it writes into the data folder of the site."""

    def check(self, **_options: Any) -> list[Any]:  # noqa: ANN401 - as Django has it
        """Return no problem: nothing of it can be configured."""
        return []

    def find(self, path: str, find_all: bool = False, **_options: Any) -> Any:  # noqa: ANN401, FBT001, FBT002 - as Django has it
        """Return the path of a bundle as it is now, or an empty list if the path is of none."""
        # Templates give a `SafeString`, which is no part of a path.
        written = [str(_write(name)) for name in BUNDLES if name == path]
        return written if find_all or not written else written[0]

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        """Yield the names of the bundles and where they are."""
        del ignore_patterns
        for name in BUNDLES:
            yield name, FileSystemStorage(location=_write(name).parent)


def _write(name: str) -> Path:
    """Write a bundle if it has changed. Other processes may do the same at this moment."""
    folder = Path(settings.DATA_DIR) / "bundles"
    path, content = folder / name, BUNDLES[name]().encode()
    if not path.is_file() or path.read_bytes() != content:
        folder.mkdir(mode=0o700, exist_ok=True)
        descriptor, part = tempfile.mkstemp(dir=folder)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(part).replace(path)
    return path


class StampedStorage(StaticFilesStorage):
    """Static files of a site that has collected none: an address changes with its file.

    So no page ever gets the style sheet or script of another release from a browser's cache.
    """

    def url(self, name: str | None) -> str:
        """Return the address of a file, with a digest of what is in it."""
        stamp = _stamp if settings.DEBUG else _kept_stamp
        return f"{super().url(name)}?{stamp(name or '')}"


def _stamp(name: str) -> str:
    path = finders.find(name)
    return sha256(Path(path).read_bytes()).hexdigest()[:12] if path else ""


_kept_stamp = cache(_stamp)
