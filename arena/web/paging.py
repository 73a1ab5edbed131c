"""Pages of a list: numbered ones, and those of matches, which begin after a match."""

from typing import TypeVar

from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from arena.models import Match
from arena.web import numbers

M = TypeVar("M", bound=Model)

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


def numbered(
    request: HttpRequest, rows: QuerySet[M], *, size: int
) -> tuple[list[M], dict[str, str]]:
    """Return the rows of the page in `?page=`, and the URLs of its neighbours. Raise Http404."""
    first = (page_number(request) - 1) * size
    found = list(rows[first : first + size + 1])
    return found[:size], neighbours(request, more=len(found) > size)


def matches(
    request: HttpRequest, rows: QuerySet[Match], *, size: int
) -> tuple[list[Match], dict[str, str]]:
    """Return the matches after the one in `?before=`, newest first, and the context of the pager.

    The pages stay stable while new matches arrive, because each page starts at a match and not at
    a position in the list. Raise Http404 if the visitor may not see that match.
    """
    if before := request.GET.get("before", ""):
        if not before.isprintable():  # not an id; PostgreSQL refuses a NUL character
            raise Http404
        marks = Match.objects.visible_to(request.user).filter(public_id=before)
        mark = marks.values("created_at", "pk").first()
        if mark is None:
            raise Http404
        older = Q(created_at__lt=mark["created_at"])
        rows = rows.filter(older | Q(created_at=mark["created_at"], pk__lt=mark["pk"]))
    page = list(rows[: size + 1])
    has_more = len(page) > size
    return page[:size], {
        "newer": _address(request, "before", "") if "before" in request.GET else "",
        "older": _address(request, "before", page[size - 1].public_id) if has_more else "",
        "newer_label": _("Newest"),
        "older_label": _("Older"),
    }


def _address(request: HttpRequest, name: str, value: str) -> str:
    """Return the query of the page with another value of one parameter; empty removes it."""
    kept = request.GET.copy()
    if value:
        kept[name] = value
    else:
        kept.pop(name, None)
    return f"?{kept.urlencode()}"
