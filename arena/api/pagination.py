"""Pages by cursor, which are stable while rows are added, and pages of leaderboards and files."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import DataError
from django.db.models import Model, QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.serializers import CharField, IntegerField, Serializer
from rest_framework.utils.urls import remove_query_param, replace_query_param
from rest_framework.views import APIView

from arena.models import keyset
from arena.models.keyset import Turn, Value

M = TypeVar("M", bound=Model)
R = TypeVar("R")

DEFAULT_ROWS = 50
MAX_ROWS = 200


class SizeSerializer(Serializer[dict[str, int]]):
    page_size = IntegerField(min_value=1, default=DEFAULT_ROWS)


class CursorPages(CursorPagination):
    """`{"next", "previous", "results"}`; `page_size` is at most 200. Subclasses set the order."""

    page_size = DEFAULT_ROWS
    max_page_size = MAX_ROWS
    page_size_query_param = "page_size"

    def get_page_size(self, request: Request) -> int:
        """Return how many rows a page has. Raise ValidationError for what is no number of rows."""
        wanted = SizeSerializer(data=request.query_params)
        wanted.is_valid(raise_exception=True)
        size: int = wanted.validated_data["page_size"]
        return min(size, MAX_ROWS)

    def paginate_queryset(
        self, queryset: QuerySet[M, R] | Sequence[R], request: Request, view: APIView | None = None
    ) -> list[R] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (DjangoValidationError, DataError, ValueError, TypeError) as exc:
            # A forged cursor: valid base64 with a value that does not fit the column.
            raise NotFound(self.invalid_cursor_message) from exc


class NewestFirst(CursorPages):
    ordering: Any = ("-created_at", "-pk")


class AsOrdered(CursorPages):
    """Pages in the order of the rows, which is that of an index and differs between filters."""

    def get_ordering(
        self,
        request: Request,  # noqa: ARG002 - the signature of REST framework
        queryset: QuerySet[M],
        view: APIView,  # noqa: ARG002 - as above
    ) -> tuple[str, ...]:
        """Return the order that the rows have."""
        return tuple(str(column) for column in queryset.query.order_by)


class LatestTokens(CursorPages):
    ordering: Any = ("-created",)


class BySlug(CursorPages):
    ordering: Any = ("slug",)


class BySeason(CursorPages):
    ordering: Any = ("-number",)


class NumberedPageSerializer(Serializer[dict[str, Any]]):
    """Which page is requested by its number. Far pages of long lists take longer."""

    page = IntegerField(min_value=1, max_value=100_000, default=1)
    page_size = IntegerField(min_value=1, max_value=MAX_ROWS, default=DEFAULT_ROWS)


class PageSerializer(NumberedPageSerializer):
    """Which page of a long list is requested: `next` and `previous` name a row of it."""

    after = CharField(default="", help_text="From the address in `next`.")
    before = CharField(default="", help_text="From the address in `previous`.")


@dataclass(frozen=True, slots=True)
class Lines:
    """A list of which pages are returned: its rows from a turn on, and the mark of a row."""

    read: Callable[[int, int, Turn], Iterable[Any]]  # how many, after how many, from where
    mark: Callable[[Any], Sequence[Value]]

    def page(self, request: Request, query: Mapping[str, Any]) -> dict[str, Any]:
        """Return the page that a query asks for, with its neighbours. Raise NotFound."""
        size, first = query["page_size"], (query["page"] - 1) * query["page_size"]
        after, before = query["after"], query["before"]
        try:
            turn = Turn(keyset.read(after or before), back=not after) if after or before else Turn()
            looked_up = [*self.read(size + 1, first, turn)]
        except keyset.NOT_OF_THE_LIST as exc:
            raise NotFound(CursorPages.invalid_cursor_message) from exc
        more = len(looked_up) > size
        rows = looked_up[-size:] if turn.back else looked_up[:size]
        is_after, is_before = (True, more) if turn.back else (more, bool(turn.mark or first))
        return {
            "next": self._address(request, "after", rows[-1:]) if is_after else None,
            "previous": self._address(request, "before", rows[:1]) if is_before else None,
            "results": rows,
        }

    def _address(self, request: Request, name: str, ends: Sequence[Any]) -> str:
        here = request.build_absolute_uri()
        for begins in ("page", "after", "before"):
            here = remove_query_param(here, begins)
        marks = (keyset.written(self.mark(row)) for row in ends)
        return next((replace_query_param(here, name, mark) for mark in marks), here)


def in_order(rows: QuerySet[M], order: Sequence[str]) -> Lines:
    """Return the pages of rows in an order of columns (`keyset`)."""

    def read(limit: int, offset: int, turn: Turn) -> list[M]:
        part = list(keyset.ordered(rows, order, turn)[offset : offset + limit])
        return part[::-1] if turn.back else part

    return Lines(read, lambda row: keyset.mark_of(row, order))


def numbered_links(request: Request, page: int, *, more: bool) -> dict[str, str | None]:
    """Return the addresses of the next and the previous page of a list that is never long."""
    here = request.build_absolute_uri()
    return {
        "next": replace_query_param(here, "page", page + 1) if more else None,
        "previous": replace_query_param(here, "page", page - 1) if page > 1 else None,
    }
