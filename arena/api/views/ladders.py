"""Ladders and their leaderboards."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from arena.api.pagination import BySlug
from arena.api.serializers.ladders import LadderSerializer, LeaderboardSerializer, PlaceSerializer
from arena.api.views.base import ApiView
from arena.domain import leaderboards
from arena.models import Ladder


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
        form = PlaceSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        page, size = form.validated_data["page"], form.validated_data["page_size"]
        rows = leaderboards.leaderboard(ladder=ladder, limit=size + 1, offset=(page - 1) * size)
        here = request.build_absolute_uri()
        answer = {
            "next": replace_query_param(here, "page", page + 1) if len(rows) > size else None,
            "previous": replace_query_param(here, "page", page - 1) if page > 1 else None,
            "results": rows[:size],
        }
        return Response(LeaderboardSerializer(answer).data)
