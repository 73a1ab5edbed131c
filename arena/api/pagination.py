"""Pages by cursor: stable while rows are being added, and free of internal numbers."""

from collections.abc import Sequence
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
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


class CursorPages(CursorPagination):
    """`{"next", "previous", "results"}`; `page_size` up to 200. Subclasses name the order."""

    page_size = DEFAULT_ROWS
    max_page_size = MAX_ROWS
    page_size_query_param = "page_size"

    def paginate_queryset(
        self,
        queryset: QuerySet[M, R] | Sequence[R],
        request: Request,
        view: APIView | None = None,
    ) -> list[R] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValidationError, DataError, ValueError, TypeError) as exc:
            # A forged cursor: well-formed base64 around a value that the column cannot hold.
            raise NotFound(self.invalid_cursor_message) from exc


class NewestFirst(CursorPages):
    """Order of things that happen."""

    ordering: Any = ("-created_at", "-pk")


class LatestTokens(CursorPages):
    """Order of somebody's tokens."""

    ordering: Any = ("-created",)


class BySlug(CursorPages):
    """Order of things with a short name of their own."""

    ordering: Any = ("slug",)


class BySeason(CursorPages):
    """Order of the seasons of a ladder."""

    ordering: Any = ("-number",)


class NumberedPageSerializer(Serializer[dict[str, int]]):
    """Which part of a ranking is asked for. A rank is a number that people know, so no cursor."""

    page = IntegerField(min_value=1, max_value=100_000, default=1)
    page_size = IntegerField(min_value=1, max_value=MAX_ROWS, default=DEFAULT_ROWS)


def numbered_links(request: Request, page: int, *, more: bool) -> dict[str, str | None]:
    """Return where the next page and the one before are, of pages that have numbers."""
    here = request.build_absolute_uri()
    return {
        "next": replace_query_param(here, "page", page + 1) if more else None,
        "previous": replace_query_param(here, "page", page - 1) if page > 1 else None,
    }
