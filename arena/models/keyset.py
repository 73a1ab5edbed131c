"""Pages of a list that begin beyond a row: the database goes there by an index, however far it is.

An order is a sequence of names of columns, with a `-` before those that fall; together they are
different in each row, and none is NULL. A mark has the values of a row in these columns.
"""

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import DataError
from django.db.models import F, Model, OuterRef, Q, QuerySet, Subquery

Rows = TypeVar("Rows", bound=QuerySet[Any])
Value = str | int | float | date | None
MOST_BYTES = 400  # of a mark as it is written


class BadMark(ValueError):
    """A text that is no mark of this list."""


# What a database or a column raises for a mark with values of another list.
NOT_OF_THE_LIST = (BadMark, ValidationError, DataError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a page begins: after a mark, or before it, when it is read backwards.

    Without a mark it begins at the end from which it is read.
    """

    mark: Sequence[Value] = ()
    back: bool = False


def beyond(order: Sequence[str], turn: Turn) -> Q:
    """Return the condition that a row stands beyond the mark. Raise BadMark."""
    if len(order) != len(turn.mark) or None in turn.mark:
        raise BadMark
    condition = Q()
    for column, value in reversed([*zip(order, turn.mark, strict=True)]):
        name = column.removeprefix("-")
        way = "lt" if column.startswith("-") != turn.back else "gt"
        ties = Q(**{name: value}) & condition if condition else Q()
        condition = Q(**{f"{name}__{way}": value}) | ties
    # The database begins at this bound: it does not find one in the alternatives.
    return Q(**{f"{name}__{way}e": turn.mark[0]}) & condition


def ordered(rows: Rows, order: Sequence[str], turn: Turn) -> Rows:
    """Return the rows from the mark on, in the order in which the page is read. Raise BadMark."""
    turned = [name.removeprefix("-") if name.startswith("-") else f"-{name}" for name in order]
    rest = rows.filter(beyond(order, turn)) if turn.mark else rows
    return rest.order_by(*(turned if turn.back else order))


def latest(rows: Rows, *, of: QuerySet[Any], column: str, count: int) -> Rows:
    """Return the rows of some versions with the highest values in a column, so many.

    None is lower than the `count`-th of any one version. With that bound, the database reads the
    newest rows of each version from an index, and no others.
    """
    last = rows.filter(version=OuterRef("pk")).order_by(f"-{column}").values(column)
    bounds = of.annotate(last=Subquery(last[count - 1 : count])).filter(last__isnull=False)
    bound = bounds.order_by("-last").values_list("last", flat=True).first() or 0
    own = {"version__in": list(of.order_by().values_list("pk", flat=True)), f"{column}__gte": bound}
    # Not the column itself: the database would go through all rows in the order of its index.
    return rows.filter(**own).order_by((F(column) + 0).desc())[:count]


def mark_of(row: Model, order: Sequence[str]) -> list[Value]:
    """Return the mark of a row."""
    mark: list[Value] = []
    for column in order:
        value: object = row
        for name in column.removeprefix("-").split("__"):
            value = getattr(value, name)
        is_time = isinstance(value, date | datetime)
        mark.append(value.isoformat() if is_time else value)  # type: ignore[attr-defined, arg-type] # as checked
    return mark


def written(mark: Sequence[Value]) -> str:
    """Return a mark as text for an address."""
    text = json.dumps(mark, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read(text: str) -> list[Value]:
    """Return the mark that a text has. Raise BadMark."""
    try:
        padded = text.encode("ascii") + b"=" * (-len(text) % 4)
        mark = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError) as exc:
        raise BadMark from exc
    if len(text) > MOST_BYTES or not isinstance(mark, list) or not all(map(_is_value, mark)):
        raise BadMark
    return mark


def _is_value(value: object) -> bool:
    if isinstance(value, str):
        return value.isprintable()  # PostgreSQL refuses a NUL character
    if isinstance(value, int):
        return abs(value) < 2**63
    return value is None or (isinstance(value, float) and abs(value) < float("inf"))
