"""Lists in the language of the reader."""

from collections.abc import Iterable

from babel.lists import format_list
from django.utils.translation import get_language, to_locale


def all_of(items: Iterable[object]) -> str:
    """Join what is meant together: "ann, bob, and cid"."""
    return format_list([*map(str, items)], "standard", _locale())


def one_of(items: Iterable[object]) -> str:
    """Join what there is to choose from: "3, 9, or 27"."""
    return format_list([*map(str, items)], "or", _locale())


def _locale() -> str:
    return to_locale(get_language() or "en")
