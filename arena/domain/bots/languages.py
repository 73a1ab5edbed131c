"""The languages that a bot may be written in, in words for pages and the API.

The only module of the web process that reads `sandbox.uploads.languages`: a table, and an import
contract holds that it reaches nothing that runs.
"""

from collections.abc import Iterable

from arena.texts import lists
from sandbox.uploads import languages

ZIP = ".zip"
EXTENSIONS = (*languages.suffixes(), ZIP)  # of an upload


def of_upload(filename: str) -> str:
    """Name the language of a single file; empty for a zip, whose manifest names it."""
    found = languages.of_file(filename)
    return found.name if found else ""


def is_compiled(name: str) -> bool:
    """Return whether bots of this language are built before they run."""
    found = languages.find(name)
    return found is not None and found.compiled


def title(name: str) -> str:
    """Return a language as people write it; one that is gone goes by its own word."""
    found = languages.find(name)
    return found.title if found else name


def titles(names: Iterable[str]) -> str:
    """List languages as people write them: C, C++, and Java."""
    return lists.all_of(title(name) for name in names)


def compiled() -> str:
    """List the languages whose bots are built before they run."""
    return titles(each.name for each in languages.LANGUAGES if each.compiled)


def suffixes() -> str:
    """List what a single file may end in: .py, .js, or .c."""
    return lists.one_of(languages.suffixes())


def with_suffixes() -> str:
    """List the languages with the endings of their files: Python (.py) or C++ (.cpp, .cc)."""
    rows = [f"{each.title} ({', '.join(each.suffixes)})" for each in languages.LANGUAGES]
    return lists.one_of(rows)
