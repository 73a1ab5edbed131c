"""Collect all texts of the site for translation: `make messages` writes `arena/locale/django.pot`.

Texts are those marked in Python and in templates. The catalogue names their files without line
numbers and has no date, so that it changes only with the texts.
"""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.pofile import write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "arena"
SHARED = (ROOT / "botkit/endings.py",)  # texts that authors of bots read at home too
CATALOGUE = SITE / "locale/django.pot"
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    **{f"{name}_lazy": spec for name, spec in DEFAULT_KEYWORDS.items()},
    "gettext_noop": None,
}
_CHANGING = re.compile(rb'^"(POT-Creation-Date|Generated-By): .*\n', re.MULTILINE)


def catalogue() -> Catalog:
    """Return all texts of the site."""
    found = Catalog(project="Drapeau", header_comment="# Written by `make messages`.", fuzzy=False)
    for path in _sources():
        for _line, text, _comments, context in extract("python", _python(path), KEYWORDS):
            found.add(text, locations=[(str(path.relative_to(ROOT)), 0)], context=context)
    return found


def written(found: Catalog) -> bytes:
    """Return a catalogue as it is stored."""
    file = BytesIO()
    write_po(file, found, width=100, sort_by_file=True, include_lineno=False)
    return _CHANGING.sub(b"", file.getvalue())


def _sources() -> Iterator[Path]:
    paths = [*SITE.rglob("*.py"), *(SITE / "templates").rglob("*.html"), *SHARED]
    return (path for path in sorted(paths) if "migrations" not in path.parts)


def _python(path: Path) -> BytesIO:
    """Return Python with the texts of a file; of a template on one line, which needs no indents."""
    source = path.read_text("utf-8")
    if path.suffix == ".html":
        source = templatize(source).replace("\n", " ")
    return BytesIO(source.encode())


if __name__ == "__main__":
    CATALOGUE.parent.mkdir(exist_ok=True)
    CATALOGUE.write_bytes(written(catalogue()))
