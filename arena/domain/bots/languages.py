"""The programming languages of bots, as text for pages and the API.

`botkit.languages` is a table, and an import contract ensures that it imports nothing that runs
programs.
"""

from collections.abc import Iterable

from arena.texts import lists
from botkit import languages

ZIP = ".zip"
EXTENSIONS = (*languages.suffixes(), ZIP)  # of an upload


def of_upload(filename: str) -> str:
    """Return the language of a single file, or "" for a zip, whose manifest names it."""
    found = languages.of_file(filename)
    return found.name if found else ""


def is_compiled(name: str) -> bool:
    """Return whether bots of this language are built before they run."""
    found = languages.find(name)
    return found is not None and found.compiled


def title(name: str) -> str:
    """Return the display name of a language, or its own name if it is not known any more."""
    found = languages.find(name)
    return found.title if found else name


def titles(names: Iterable[str]) -> str:
    """Return a list of display names as text: C, C++, and Java."""
    return lists.all_of(title(name) for name in names)


def compiled() -> str:
    """Return the languages whose bots are built before they run, as text."""
    return titles(each.name for each in languages.LANGUAGES if each.compiled)


def suffixes() -> str:
    """Return the suffixes of single files as text: .py, .js, or .c."""
    return lists.one_of(languages.suffixes())


def with_suffixes() -> str:
    """Return the languages with their suffixes as text: Python (.py) or C++ (.cpp, .cc)."""
    rows = [f"{each.title} ({', '.join(each.suffixes)})" for each in languages.LANGUAGES]
    return lists.one_of(rows)
