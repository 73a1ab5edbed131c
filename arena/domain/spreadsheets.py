"""Comma-separated values (RFC 4180), for spreadsheets and programs."""

import csv
import io
from collections.abc import Iterable

FORMULA_BEGINS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes these for a formula


def text(lines: Iterable[Iterable[object]]) -> str:
    """Return lines of cells as comma-separated values.

    Texts that a spreadsheet would take for a formula begin with an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for cells in lines:
        writer.writerow([_safe(cell) for cell in cells])
    return out.getvalue()


def _safe(cell: object) -> object:
    """Return a text that is no formula, a whole number as an int, any other value as it is."""
    if isinstance(cell, str) and cell.startswith(FORMULA_BEGINS):
        return f"'{cell}"
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell
