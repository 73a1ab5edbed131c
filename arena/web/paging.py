"""Pages of a list: those that begin at a row, and numbered ones of lists that are never long."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from arena.domain.matches import filters
from arena.models import Match, keyset
from arena.models.keyset import BadMark, Turn, Value
from arena.web import numbers

M = TypeVar("M", bound=Model)
R = TypeVar("R")

LAST = 10**6


def page_number(request: HttpRequest) -> int:
    """Return the number in `?page=`. Raise Http404 if it is invalid."""
    number = numbers.whole(request.GET.get("page", "1"), digits=len(str(LAST)))
    if number is None or not 1 <= number <= LAST:
        raise Http404
    return number


def neighbours(request: HttpRequest, *, more: bool) -> dict[str, str]:
    """Return the URLs of the previous and next numbered pages, empty if there is none.

    They keep the whole query of this page except the page number.
    """
    number = page_number(request)
    return {
        "newer": _address(request, "page", str(number - 1)) if number > 1 else "",
        "older": _address(request, "page", str(number + 1)) if more else "",
    }


def turn_of(request: HttpRequest) -> Turn:
    """Return where the page in `?after=` or `?before=` begins. Raise Http404."""
    after, before = request.GET.get("after", ""), request.GET.get("before", "")
    try:
        return Turn(keyset.read(after or before), back=not after) if after or before else Turn()
    except BadMark as exc:
        raise Http404 from exc


def cut(
    request: HttpRequest, looked_up: Sequence[R], *, size: int, mark: Callable[[R], Sequence[Value]]
) -> tuple[list[R], dict[str, str]]:
    """Return the rows of a page of which one more was looked up, and the URLs of its neighbours.

    They keep the whole query of this page except where it begins.
    """
    turn, is_first = turn_of(request), page_number(request) == 1
    more = len(looked_up) > size
    rows = list(looked_up[-size:] if turn.back else looked_up[:size])
    is_after, is_before = (True, more) if turn.back else (more, bool(turn.mark) or not is_first)
    ends = [keyset.written(mark(row)) for row in (rows[0], rows[-1])] if rows else ["", ""]
    return rows, {
        "newer": _address(request, "before", ends[0]) if is_before else "",
        "older": _address(request, "after", ends[1]) if is_after else "",
    }


def listed(
    request: HttpRequest, rows: QuerySet[M], *, order: Sequence[str], size: int
) -> tuple[list[M], dict[str, str]]:
    """Return the rows of the page that begins at a mark, and the URLs of its neighbours.

    A number in `?page=` counts from the first row, which takes longer the higher it is. Raise
    Http404.
    """
    turn, first = turn_of(request), (page_number(request) - 1) * size
    try:
        looked_up = list(keyset.ordered(rows, order, turn)[first : first + size + 1])
    except keyset.NOT_OF_THE_LIST as exc:
        raise Http404 from exc
    shown = looked_up[::-1] if turn.back else looked_up
    return cut(request, shown, size=size, mark=lambda row: keyset.mark_of(row, order))


def matches(
    request: HttpRequest,
    rows: QuerySet[Match],
    *,
    size: int,
    order: Sequence[str] = filters.NEWEST,
) -> tuple[list[Match], dict[str, str]]:
    """Return the matches after the one in `?before=`, newest first, and the context of the pager.

    They are in the order of the list. The pages stay stable while new matches arrive, because each
    page starts at a match and not at a position in the list. Raise Http404 if the visitor may not
    see that match.
    """
    if before := request.GET.get("before", ""):
        if not before.isprintable():  # not an id; PostgreSQL refuses a NUL character
            raise Http404
        marks = Match.objects.visible_to(request.user).filter(public_id=before)
        mark = marks.first()
        if mark is None:
            raise Http404
        rows = rows.filter(keyset.beyond(order, Turn(keyset.mark_of(mark, order))))
    page = list(rows[: size + 1])
    has_more = len(page) > size
    return page[:size], {
        "newer": _address(request, "before", "") if "before" in request.GET else "",
        "older": _address(request, "before", page[size - 1].public_id) if has_more else "",
        "newer_label": _("Newest"),
        "older_label": _("Older"),
    }


def _address(request: HttpRequest, name: str, value: str) -> str:
    """Return the query of the page with another value of where it begins; empty removes it."""
    kept = request.GET.copy()
    for begins in {"after", "before", "page"} - {name}:
        kept.pop(begins, None)
    if value:
        kept[name] = value
    else:
        kept.pop(name, None)
    return f"?{kept.urlencode()}"
