"""Two bots head to head."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.base import ApiViewSet
from arena.api.overview.serializers import HeadToHeadSerializer
from arena.domain.bots import head_to_head
from arena.models import Bot


class HeadToHeadViewSet(ApiViewSet):
    queryset = Bot.objects.select_related("owner")
    lookup_path = "<slug:owner>/<slug:slug>/vs/<slug:other_owner>/<slug:other>"
    lookups = {"owner": "owner__username", "slug": "slug"}

    @extend_schema(operation_id="bot_versus", responses=HeadToHeadSerializer)
    def retrieve(self, _request: Request, other_owner: str, other: str, **_bot: object) -> Response:
        """Show the results of two bots against each other; see also `matches?bot=…&opponent=…`."""
        bot = self.get_object()
        opponent = get_object_or_404(self.get_queryset(), owner__username=other_owner, slug=other)
        results = head_to_head.between(bot=bot, opponent=opponent, viewer=self.viewer)
        return Response(HeadToHeadSerializer(results).data)
