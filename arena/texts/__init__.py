"""What people read, as data: whole sentences with placeholders, one module per room.

The texts are lazy, so that each is translated for whoever reads it. Those of pages stand in the
templates, those of an intervention in its class.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from django.utils.functional import Promise

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    Text = str | StrPromise
else:
    Text = str | Promise


def paragraph(texts: Iterable[Text], names: Mapping[str, object]) -> str:
    """Return whole sentences one after the other, with their placeholders filled in."""
    return " ".join(str(text % names) for text in texts)
