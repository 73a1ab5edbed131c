"""Two bots head to head."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.base import ApiViewSet
from arena.api.fields import listed
from arena.api.overview.serializers import (
    HeadToHeadSerializer,
    PointsListSerializer,
    PointsSerializer,
)
from arena.domain.bots import head_to_head
from arena.domain.bots import points as bot_points
from arena.models import Bot


class HeadToHeadViewSet(ApiViewSet):
    queryset = Bot.objects.select_related("owner")
    lookup_path = "<slug:owner>/<slug:slug>/vs/<slug:other_owner>/<slug:other>"
    lookups = {"owner": "owner__username", "slug": "slug"}

    @extend_schema(operation_id="bot_versus", responses=HeadToHeadSerializer)
    def retrieve(self, _request: Request, other_owner: str, other: str, **_bot: object) -> Response:
        """Show the results of two bots against each other; see also `matches?bot=…&opponent=…`."""
        bot, opponent = self.get_object(), self._opponent(other_owner, other)
        results = head_to_head.between(bot=bot, opponent=opponent, viewer=self.viewer)
        return Response(HeadToHeadSerializer(results).data)

    @extend_schema(operation_id="bot_versus_points", responses=PointsListSerializer)
    @action(detail=True)
    def points(self, _request: Request, other_owner: str, other: str, **_bot: object) -> Response:
        """Show where the points of a bot go against another, in their latest rated games."""
        bot, opponent = self.get_object(), self._opponent(other_owner, other)
        found = bot_points.of_pair(bot=bot, opponent=opponent, viewer=self.viewer)
        return Response(listed(PointsSerializer, found, key="ladders"))

    def _opponent(self, owner: str, slug: str) -> Bot:
        return get_object_or_404(
            Bot.objects.select_related("owner"), owner__username=owner, slug=slug
        )
