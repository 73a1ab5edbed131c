"""Whole numbers that anybody may write into an address or a form."""

import pytest

from arena.web import numbers


@pytest.mark.parametrize(
    ("text", "read"),
    [("0", 0), ("0042", 42), ("9999", 9999), ("10000", None), ("9" * 5000, None), ("", None),
     ("-1", None), ("1.0", None), ("²", None), ("٣", None), (" 1", None)],
)  # fmt: skip
def test_only_digits_up_to_limit_are_a_number(text, read):
    assert numbers.whole(text, digits=numbers.SMALL_DIGITS) == read
