from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from arena.domain.matches import live as live_matches
from arena.event_streams import EventStream
from arena.models import Match
from engine.variant import PUBLIC


class MatchStream(EventStream):
    """The moves of a running match from one perspective."""

    def __init__(self, *, match: Match, perspective: str, after: str) -> None:
        topic = live_matches.topic(match_id=match.public_id, perspective=perspective)
        super().__init__(topic=topic, after=after)
        self.match_id, self.release = match.public_id, match.release


@require_safe
def live(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Stream a running match as `?view=` sees it; answer 204 when the match is over."""
    rows = Match.objects.visible_to(request.user)
    rows = rows.prefetch_related("entrants__version__bot")
    match = get_object_or_404(rows, public_id=public_id)
    view = request.GET.get("view", PUBLIC)
    if view not in live_matches.perspectives(match=match, viewer=request.user):
        raise Http404
    if not match.is_open:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return MatchStream(
        match=match, perspective=view, after=request.headers.get("Last-Event-ID", "")
    )
