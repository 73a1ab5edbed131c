"""What waits to be played or checked."""

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from arena.api.base import ApiView, signed_in, viewer_of
from arena.api.queue.serializers import QueuePageSerializer, QueueSerializer
from arena.domain.queries import queue_places
from arena.domain.queue import alarms, first_game_waits


class QueueView(ApiView):
    @extend_schema(
        operation_id="queue", parameters=[QueuePageSerializer], responses=QueueSerializer
    )
    def get(self, request: Request) -> Response:
        """Show what is in work, and what waits: its position, why, and when it should begin."""
        form = QueuePageSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        page, size = form.validated_data["page"], form.validated_data["page_size"]
        mine = form.validated_data["mine"]
        if mine and not request.user.is_authenticated:
            raise NotAuthenticated
        first = (page - 1) * size
        found = queue_places.queue(
            viewer=viewer_of(request),
            limit=size,
            offset=first,
            of=signed_in(request) if mine else None,
        )
        here = request.build_absolute_uri()
        more = first + size < found.shown_of
        answer = {
            "next": replace_query_param(here, "page", page + 1) if more else None,
            "previous": replace_query_param(here, "page", page - 1) if page > 1 else None,
            "in_work": found.in_work,
            "waiting": found.waiting,
            "runners": found.runners,
            "longest_wait_s": found.longest_wait_s,
            "alarm": alarms.of(oldest_s=found.longest_wait_s),
            "first_game": first_game_waits.first_game(),
            "results": found.places,
        }
        return Response(QueueSerializer(answer).data)
