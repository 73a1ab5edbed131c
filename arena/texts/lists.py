"""Lists in the language of the reader: "ann, bob, and cid"."""

from collections.abc import Iterable

from babel.lists import format_list
from django.utils.translation import get_language, to_locale


def all_of(items: Iterable[object]) -> str:
    """Join what is meant together, as within a sentence: "ann and bob"."""
    return format_list([*map(str, items)], "standard", _locale())


def one_of(items: Iterable[object]) -> str:
    """Join what there is to choose from: "3, 9, or 27"."""
    return format_list([*map(str, items)], "or", _locale())


def enumeration(items: Iterable[object]) -> str:
    """Join what stands after a colon: "ann, bob"."""
    return format_list([*map(str, items)], "unit-short", _locale())


def _locale() -> str:
    return to_locale(get_language() or "en")
