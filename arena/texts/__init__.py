"""What people read, as data: whole sentences with placeholders, one module per capability.

The texts are lazy, so that each is translated for whoever reads it. Those of pages stand in the
templates, those of an intervention in its class.
"""

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    Text = str | StrPromise
else:
    Text = str | Promise


def as_rows_keep_them() -> AbstractContextManager[None]:
    """Return a context in which texts are in the language of the site.

    A row keeps its texts in one language, whoever caused them, for it has readers of all languages.
    A text that is not lazy is marked with `gettext_noop` for that.
    """
    return translation.override(settings.LANGUAGE_CODE)


def paragraph(texts: Iterable[Text], names: Mapping[str, object]) -> str:
    """Return whole sentences one after the other, with their placeholders filled in."""
    return " ".join(str(text % names) for text in texts)
