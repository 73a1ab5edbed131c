"""Short names, which addresses are made of."""

from anyascii import anyascii
from django.utils.text import slugify

from arena.models import Bot, Tournament

RESERVED = "new"  # at this address a form makes another one


def of_name(name: str, *, model: type[Bot] | type[Tournament]) -> str:
    """Return the short name of a bot or a tournament, in small Latin letters without accents.

    Letters of other scripts are written as they sound. A name without any letter or digit has none.
    """
    longest = model._meta.get_field("slug").max_length  # noqa: SLF001 - Django documents `_meta`
    return slugify(anyascii(name))[:longest].strip("-")
