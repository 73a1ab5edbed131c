"""The queue of matches and version checks."""

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.base import ApiViewSet, signed_in, validated
from arena.api.pagination import numbered_links
from arena.api.queue.serializers import QueuePageSerializer, QueueSerializer
from arena.domain.queue import alarms, first_game_waits, queue_places


class QueueViewSet(ApiViewSet):
    @extend_schema(
        operation_id="queue", parameters=[QueuePageSerializer], responses=QueueSerializer
    )
    def list(self, request: Request) -> Response:
        """Show what is running and what is waiting, with position and reason."""
        query = validated(QueuePageSerializer, request.query_params)
        page, size, mine = query["page"], query["page_size"], query["mine"]
        if mine and not request.user.is_authenticated:
            raise NotAuthenticated
        first = (page - 1) * size
        queue = queue_places.queue(
            viewer=self.viewer, limit=size, offset=first, of=signed_in(request) if mine else None
        )
        answer = {
            **numbered_links(request, page, more=first + size < queue.shown_of),
            "in_work": queue.in_work,
            "waiting": queue.waiting,
            "runners": queue.runners,
            "longest_wait_s": queue.longest_wait_s,
            "latest_began_s": queue.latest_began_s,
            "alarm": alarms.of(oldest_s=queue.longest_wait_s),
            "first_game": first_game_waits.first_game(),
            "results": queue.places,
        }
        return Response(QueueSerializer(answer).data)
