"""Names that nobody may take here: not readable, or refused by the setting REFUSED_NAMES."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from anyascii import anyascii
from django.conf import settings
from django.utils.translation import gettext as _

from botkit import names

_SEPARATORS = re.compile(r"[\W_]+")


def error_of(name: str) -> str:
    """Return why nobody may take the name, or an empty text if it is allowed or empty."""
    if name and (problem := names.problem_of_signs(name)):
        return _(problem)
    patterns = [str(pattern).casefold() for pattern in settings.REFUSED_NAMES]
    if any(fnmatchcase(form, pattern) for form in _forms(name) for pattern in patterns):
        return _("This name is not allowed on this site. Choose another one.")
    return ""


def _forms(name: str) -> Iterator[str]:
    """Yield the name in small letters: as it is, in Latin letters, and without separators.

    Addresses are made of the Latin letters (`arena.domain.slugs`), so a name in letters of another
    script that look or sound the same is refused too.
    """
    latin = anyascii(name).casefold()
    yield name.casefold()
    yield latin.strip()
    yield _SEPARATORS.sub("", latin)
