"""Ladders, their leaderboards, and those that seasons left behind."""

from collections.abc import Callable, Iterable
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from arena.api.base import ApiView
from arena.api.ladders.serializers import (
    FinalLeaderboardSerializer,
    LadderSerializer,
    LeaderboardSerializer,
    PlaceSerializer,
    SeasonSerializer,
)
from arena.api.pagination import BySeason, BySlug
from arena.domain.ladders import leaderboards
from arena.models import Ladder, Season

Lines = Callable[[int, int], Iterable[Any]]


class LaddersView(ApiView):
    pagination_class = BySlug
    serializer_class = LadderSerializer

    @extend_schema(operation_id="ladder_list", responses=LadderSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - as routed
        """List the ladders."""
        return self.page_of(Ladder.objects.all(), LadderSerializer)


class EntriesView(ApiView):
    @extend_schema(
        operation_id="ladder_entries",
        parameters=[PlaceSerializer],
        responses=LeaderboardSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Show the leaderboard of a ladder, best first."""
        ladder = get_object_or_404(Ladder, slug=slug)
        page = _page(
            request,
            lambda limit, offset: leaderboards.leaderboard(
                ladder=ladder, limit=limit, offset=offset
            ),
        )
        return Response(LeaderboardSerializer(page).data)


class SeasonsView(ApiView):
    pagination_class = BySeason
    serializer_class = SeasonSerializer

    @extend_schema(operation_id="season_list", responses=SeasonSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - as routed
        """List the seasons of a ladder that are over, the latest first."""
        ladder = get_object_or_404(Ladder, slug=slug)
        return self.page_of(ladder.seasons.select_related("ladder"), SeasonSerializer)


class SeasonView(ApiView):
    @extend_schema(
        operation_id="season_get",
        parameters=[PlaceSerializer],
        responses=FinalLeaderboardSerializer,
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Show the leaderboard as a season left it."""
        rows = Season.objects.select_related("ladder")
        season = get_object_or_404(rows, ladder__slug=slug, number=number)
        kept = season.standings.select_related("bot__owner", "version").order_by("rank", "pk")
        page = _page(request, lambda limit, offset: kept[offset : offset + limit])
        return Response(FinalLeaderboardSerializer({"season": season, **page}).data)


def _page(request: Request, lines: Lines) -> dict[str, Any]:
    """Return the lines of a leaderboard that were asked for, and where the others are."""
    form = PlaceSerializer(data=request.query_params)
    form.is_valid(raise_exception=True)
    page, size = form.validated_data["page"], form.validated_data["page_size"]
    rows = list(lines(size + 1, (page - 1) * size))
    here = request.build_absolute_uri()
    return {
        "next": replace_query_param(here, "page", page + 1) if len(rows) > size else None,
        "previous": replace_query_param(here, "page", page - 1) if page > 1 else None,
        "results": rows[:size],
    }
