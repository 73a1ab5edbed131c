"""The pages of `docs/` that a site shows: those for authors of bots, for organizers and visitors.

The index of `docs/` is their list. Its sections for operators and developers are left out.
"""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.conf import settings

PROTOCOL = "reference/protocol"
LANGUAGES = "reference/languages"
_OF_OTHERS = re.compile(r"operators|developers")
_ENTRY = re.compile(r"- \[([^\]]+)\]\((\S+)\.md\): (.+)")


@dataclass(frozen=True, slots=True)
class ManualEntry:
    """A page: its path without `.md`, and from the index its name and, as Markdown, its subject."""

    path: str
    name: str
    about: str


@dataclass(frozen=True, slots=True)
class ManualSection:
    """A section of the index."""

    title: str
    entries: Sequence[ManualEntry]


@cache
def sections() -> tuple[ManualSection, ...]:
    """Return the sections that the site shows, or none if `docs/` is not installed."""
    index = settings.BASE_DIR / "docs" / "index.md"
    text = index.read_text("utf-8") if index.is_file() else ""
    shown = []
    for part in text.split("\n## ")[1:]:
        title, _, rest = part.partition("\n")
        entries = tuple(
            ManualEntry(path, name.replace("`", ""), about)
            for name, path, about in _ENTRY.findall(rest)
        )
        if not _OF_OTHERS.search(title):
            shown.append(ManualSection(title, entries))
    return tuple(shown)


def find(path: str) -> tuple[ManualSection, ManualEntry] | None:
    """Return a page that the site shows, with its section, or None."""
    for section in sections():
        for entry in section.entries:
            if entry.path == path:
                return section, entry
    return None


def source(entry: ManualEntry) -> str:
    """Return the Markdown of a page."""
    file = settings.BASE_DIR / "docs" / f"{entry.path}.md"
    return str(file.read_text("utf-8"))


def target(link: str, *, of: ManualEntry) -> str:
    """Return the path, from `docs/`, of the file to which a relative link of a page leads."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(of.path), link))
