"""Whole numbers as addresses and forms have them: text from anybody."""

from django.http import QueryDict

SMALL_DIGITS = 4  # rounds and entrants: no tournament has ten thousand
COLUMN_DIGITS = 9  # fit into a column of 32 bits
KEY_DIGITS = 18  # fit into a column of 64 bits


def whole(text: str, *, digits: int) -> int | None:
    """Read a number that is not negative; None where it is none, or has more digits than that.

    Python itself refuses to read some thousand digits.
    """
    is_number = text.isascii() and text.isdigit() and len(text) <= digits
    return int(text) if is_number else None


def revision(posted: QueryDict) -> int | None:
    """Return the revision of a tournament that a form was made from; None where it does not say."""
    return whole(posted.get("revision", ""), digits=COLUMN_DIGITS)
