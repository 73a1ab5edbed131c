"""Parse whole numbers from URLs and forms, which are text from anybody."""

from django.http import QueryDict

SMALL_DIGITS = 4  # rounds and entrants: no tournament has ten thousand
COLUMN_DIGITS = 9  # fit into a column of 32 bits
KEY_DIGITS = 18  # fit into a column of 64 bits


def whole(text: str, *, digits: int) -> int | None:
    """Return a number that is not negative; None if it is invalid or has more digits than `digits`.

    Python itself refuses to parse numbers of several thousand digits.
    """
    is_number = text.isascii() and text.isdigit() and len(text) <= digits
    return int(text) if is_number else None


def revision(posted: QueryDict) -> int | None:
    """Return the tournament revision that a form was made from; None if the form has none."""
    return whole(posted.get("revision", ""), digits=COLUMN_DIGITS)
