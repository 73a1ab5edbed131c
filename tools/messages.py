"""Collect all texts of the site for translation, and compile the translations: `make messages`.

It writes `arena/locale/django.pot`, from which a translation begins and which git ignores. For each
language it writes what is to be translated in `django.po` and what the site reads, `django.mo`. A
text that is new has an empty translation there, and shows in English until somebody writes one.

Texts are those marked in Python and in templates. The catalogues name their files without line
numbers and have no date, so that they change only with the texts.
"""

import re
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "arena"
SHARED = (
    *sorted((ROOT / "engine").rglob("endings.py")),  # of the games
    ROOT / "engine/outcome.py",
    ROOT / "botkit/endings.py",
    ROOT / "botkit/names.py",
)  # texts that authors of bots read at home too
LOCALE = SITE / "locale"
TRANSLATIONS = {code: LOCALE / code / "LC_MESSAGES/django.po" for code in ("de", "fr", "nl")}
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    **{f"{name}_lazy": spec for name, spec in DEFAULT_KEYWORDS.items()},
    "gettext_noop": None,
}
_NO_HEADERS = (  # dates, and names of people whom this project does not have
    "POT-Creation-Date",
    "PO-Revision-Date",
    "Generated-By",
    "Last-Translator",
    "Project-Id-Version",
    "Report-Msgid-Bugs-To",
    "Language-Team",
)
_UNSTABLE = re.compile(rf'^"({"|".join(_NO_HEADERS)}): .*\n'.encode(), re.MULTILINE)
_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)


def catalogue() -> Catalog:
    """Return all texts of the site."""
    catalog = Catalog(
        project="Drapeau", header_comment="# Written by `make messages`.", fuzzy=False
    )
    paths = [*SITE.rglob("*.py"), *(SITE / "templates").rglob("*.html"), *SHARED]
    for path in sorted(paths):
        if "migrations" in path.parts:
            continue
        # Of a template, this is its Python on one line, which needs no indents.
        source = path.read_text("utf-8")
        if path.suffix == ".html":
            source = templatize(source).replace("\n", " ")
        for _line, text, _comments, context in extract(
            "python", BytesIO(source.encode()), KEYWORDS
        ):
            catalog.add(text, locations=[(str(path.relative_to(ROOT)), 0)], context=context)
    return catalog


def translation(code: str, texts: Catalog) -> Catalog:
    """Return the translations into a language of these texts, without those of earlier texts."""
    with TRANSLATIONS[code].open("rb") as file:
        known = read_po(file, locale=code)
    known.update(texts, no_fuzzy_matching=True)
    known.obsolete.clear()
    return known


def written(catalog: Catalog) -> bytes:
    """Return a catalogue as it is stored."""
    file = BytesIO()
    write_po(file, catalog, width=100, sort_by_file=True, include_lineno=False)
    return _UNSTABLE.sub(b"", file.getvalue())


def compiled(catalog: Catalog) -> bytes:
    """Return translations as the site reads them: only whole ones, and no date of today."""
    whole = Catalog(locale=catalog.locale, project=catalog.project, fuzzy=False)
    whole.creation_date = whole.revision_date = _NO_DATE
    for message in catalog:
        if message.id and is_translated(message):
            whole.add(message.id, message.string, context=message.context)
    file = BytesIO()
    write_mo(file, whole)
    return file.getvalue()


def is_translated(message: Message) -> bool:
    """Return whether a text has its translation, with one for each number if it counts."""
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


if __name__ == "__main__":
    texts = catalogue()
    (LOCALE / "django.pot").write_bytes(written(texts))
    for code, path in TRANSLATIONS.items():
        translated = translation(code, texts)
        path.write_bytes(written(translated))
        path.with_suffix(".mo").write_bytes(compiled(translated))
