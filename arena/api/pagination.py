"""Pages by cursor, which are stable while rows are added, and pages by number."""

from collections.abc import Sequence
from typing import Any, TypeVar

from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import DataError
from django.db.models import Model, QuerySet
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.serializers import IntegerField, Serializer
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

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


class LatestTokens(CursorPages):
    ordering: Any = ("-created",)


class BySlug(CursorPages):
    ordering: Any = ("slug",)


class BySeason(CursorPages):
    ordering: Any = ("-number",)


class NumberedPageSerializer(Serializer[dict[str, int]]):
    """Which page of a leaderboard or a list is requested: by its number, without a cursor."""

    page = IntegerField(min_value=1, max_value=100_000, default=1)
    page_size = IntegerField(min_value=1, max_value=MAX_ROWS, default=DEFAULT_ROWS)


def numbered_links(request: Request, page: int, *, more: bool) -> dict[str, str | None]:
    """Return the addresses of the next and the previous page."""
    here = request.build_absolute_uri()
    return {
        "next": replace_query_param(here, "page", page + 1) if more else None,
        "previous": replace_query_param(here, "page", page - 1) if page > 1 else None,
    }
