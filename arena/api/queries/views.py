"""Two bots head to head."""

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.base import ApiView, viewer_of
from arena.api.queries.serializers import HeadToHeadSerializer
from arena.domain.queries import head_to_head
from arena.models import Bot


class HeadToHeadView(ApiView):
    @extend_schema(operation_id="bot_versus", responses=HeadToHeadSerializer)
    def get(
        self,
        request: Request,
        owner: str,
        slug: str,
        other_owner: str,
        other: str,
    ) -> Response:
        """Show what two bots did against each other; `matches?bot=…&opponent=…` lists it."""
        found = head_to_head.between(
            bot=_find(owner, slug),
            opponent=_find(other_owner, other),
            viewer=viewer_of(request),
        )
        return Response(HeadToHeadSerializer(found).data)


def _find(owner: str, slug: str) -> Bot:
    rows = Bot.objects.select_related("owner")
    return get_object_or_404(rows, owner__username=owner, slug=slug)
