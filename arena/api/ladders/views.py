"""Ladders, their leaderboards, their seasons and the files of their records."""

from datetime import date
from operator import attrgetter
from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.base import ApiViewSet, validated
from arena.api.ladders.serializers import (
    FinalLeaderboardSerializer,
    LadderSerializer,
    LeaderboardSerializer,
    RecordFileFilterSerializer,
    RecordFilesSerializer,
    SeasonSerializer,
)
from arena.api.pagination import BySeason, BySlug, Lines, PageSerializer, in_order
from arena.domain.ladders import leaderboards
from arena.domain.matches import record_files
from arena.domain.ratings import seasons
from arena.models import Ladder, Season


class LadderViewSet(ApiViewSet):
    queryset = Ladder.objects.all()
    lookup_path = "<slug:slug>"
    lookups = {"slug": "slug"}
    pagination_class = BySlug
    serializer_class = LadderSerializer

    def list(self, _request: Request) -> Response:
        """List the ladders."""
        return self.page_of(self.get_queryset())

    @extend_schema(parameters=[PageSerializer], responses=LeaderboardSerializer)
    @action(detail=True)
    def entries(self, _request: Request, **_address: object) -> Response:
        """Show the leaderboard of a ladder, best first."""
        ladder = self.get_object()
        lines = Lines(
            lambda limit, offset, turn: leaderboards.leaderboard(
                ladder=ladder, limit=limit, offset=offset, turn=turn
            ),
            mark=attrgetter("mark"),
        )
        return Response(LeaderboardSerializer(self._page(lines)).data)

    @extend_schema(operation_id="season_list", responses=SeasonSerializer(many=True))
    @action(detail=True, pagination_class=BySeason, serializer_class=SeasonSerializer)
    def seasons(self, _request: Request, **_address: object) -> Response:
        """List the finished seasons of a ladder, the latest first."""
        return self.page_of(self.get_object().seasons.select_related("ladder"))

    @extend_schema(
        operation_id="season_get",
        parameters=[PageSerializer],
        responses=FinalLeaderboardSerializer,
    )
    @action(detail=True, url_path="seasons/<int:number>")
    def season(self, _request: Request, slug: str, number: int) -> Response:
        """Show the final leaderboard of a season."""
        rows = Season.objects.select_related("ladder")
        season = get_object_or_404(rows, ladder__slug=slug, number=number)
        kept = season.standings.select_related("bot__owner", "version")
        page = self._page(in_order(kept, leaderboards.ARCHIVED))
        answer = {"season": season, "pending": seasons.is_pending(season=season), **page}
        return Response(FinalLeaderboardSerializer(answer).data)

    @extend_schema(
        operation_id="record_file_list",
        parameters=[RecordFileFilterSerializer],
        responses=RecordFilesSerializer,
    )
    @action(detail=True)
    def records(self, request: Request, **_address: object) -> Response:
        """List the files of records that everybody may have, the oldest day first."""
        ladder = self.get_object()
        query = validated(RecordFileFilterSerializer, request.query_params)
        files = record_files.published(ladder=ladder).select_related("ladder")
        if since := query.get("since"):
            files = files.filter(day__gte=since)
        if until := query.get("until"):
            files = files.filter(day__lte=until)
        page = in_order(files, ("day", "number")).page(request, query)
        answer = {
            "complete_until": ladder.filed_until,
            "licence": settings.RECORDS_LICENCE,
            **page,
        }
        return Response(RecordFilesSerializer(answer).data)

    @extend_schema(
        operation_id="record_file_get",
        responses={(200, "application/gzip"): OpenApiTypes.BINARY, 304: None},
    )
    @action(detail=True, url_path="records/<str:day>/<int:number>")
    def record_file(self, request: Request, slug: str, day: str, number: int) -> HttpResponseBase:
        """Return a file of records: one a line, compressed with gzip."""
        try:
            wanted = date.fromisoformat(day)
        except ValueError as exc:
            raise Http404 from exc
        ladder = get_object_or_404(Ladder, slug=slug)
        files = record_files.published(ladder=ladder).select_related("ladder")
        file = record_files.current(file=get_object_or_404(files, day=wanted, number=number))
        tag = f'"{file.digest}"'
        answer = get_conditional_response(request, etag=tag)
        if answer is None:
            answer = HttpResponse(bytes(file.blob), content_type="application/gzip")
            answer["Content-Disposition"] = f'attachment; filename="{file.name}"'
        answer["ETag"] = tag
        # A record may be withdrawn: a cache asks each time whether the file is still the same.
        answer["Cache-Control"] = "public, no-cache"
        return answer

    def _page(self, lines: Lines) -> dict[str, Any]:
        """Return the requested page of a leaderboard, with its neighbours."""
        return lines.page(self.request, validated(PageSerializer, self.request.query_params))
