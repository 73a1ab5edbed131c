"""Numbered pages of a list, for lists that do not grow at the top."""

from django.http import Http404, HttpRequest, QueryDict

from arena.web import numbers

LAST = 10**6


def page_number(request: HttpRequest) -> int:
    """Return the number in `?page=`. Raise Http404 if it is invalid."""
    number = numbers.whole(request.GET.get("page", "1"), digits=len(str(LAST)))
    if number is None or not 1 <= number <= LAST:
        raise Http404
    return number


def neighbours(number: int, *, more: bool, asked: QueryDict | None = None) -> dict[str, str]:
    """Return the URLs of the previous and next pages, empty if there is none.

    `asked` is the query of this page; the URLs keep all of it except the page number.
    """
    return {
        "newer": _address(number - 1, asked) if number > 1 else "",
        "older": _address(number + 1, asked) if more else "",
    }


def _address(number: int, asked: QueryDict | None) -> str:
    kept = asked.copy() if asked else QueryDict(mutable=True)
    kept["page"] = str(number)
    return f"?{kept.urlencode()}"
