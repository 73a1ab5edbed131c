"""The programming languages of bots, as text for pages and the API.

`botkit.languages` is a table, and an import contract ensures that it imports nothing that runs
programs.
"""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from arena.models import RunnerReport
from arena.texts import lists
from botkit import languages
from botkit.languages import Language

ZIP = ".zip"
EXTENSIONS = (*languages.suffixes(), ZIP)  # of an upload to any site


def report(*, names: Iterable[str], takes_uploads: bool) -> None:
    """Store the languages that the runners of this site play, and whether they play all bots."""
    columns = {"languages": sorted(names), "takes_uploads": takes_uploads}
    if not RunnerReport.objects.filter(**columns).exists():
        RunnerReport.objects.update_or_create(pk=1, defaults=columns)


def played() -> tuple[Language, ...]:
    """Return the languages of this site, or every language if no runner has started yet."""
    row = RunnerReport.objects.first()
    return tuple(
        language
        for language in languages.LANGUAGES
        if row is None or language.name in row.languages
    )


def takes_uploads() -> bool:
    """Return whether the runners play bots of users, and not only those of the operator."""
    return not RunnerReport.objects.filter(takes_uploads=False).exists()


def extensions() -> tuple[str, ...]:
    """Return the suffixes of the files that may be uploaded to this site."""
    return (*_suffixes(), ZIP)


def not_played(*, name: str, known: Iterable[str]) -> str:
    """Return why a bot in a language is not played here, where the known ones are."""
    words = {"language": title(name), "known": titles(known)}
    return _("This site has no runtime for %(language)s. It plays bots in %(known)s.") % words


def of_upload(filename: str) -> str:
    """Return the language of a single file, or "" for a zip, whose manifest names it."""
    language = languages.of_file(filename)
    return language.name if language else ""


def is_compiled(name: str) -> bool:
    """Return whether bots of this language are built before they run."""
    language = languages.find(name)
    return language is not None and language.compiled


def title(name: str) -> str:
    """Return the display name of a language, or its own name if it is not known any more."""
    language = languages.find(name)
    return language.title if language else name


def titles(names: Iterable[str]) -> str:
    """Return a list of display names as text: C, C++, and Java."""
    return lists.all_of(title(name) for name in names)


def compiled() -> str:
    """Return the languages of this site whose bots are built before they run, as text."""
    return lists.one_of(language.title for language in played() if language.compiled)


def suffixes() -> str:
    """Return the suffixes of single files as text: .py, .js, or .c."""
    return lists.one_of(_suffixes())


def with_suffixes() -> str:
    """Return the languages with their suffixes as text: Python (.py) or C++ (.cpp, .cc)."""
    rows = [f"{language.title} ({', '.join(language.suffixes)})" for language in played()]
    return lists.one_of(rows)


def _suffixes() -> list[str]:
    return [suffix for language in played() for suffix in language.suffixes]
