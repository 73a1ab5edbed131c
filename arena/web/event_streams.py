"""Streams that tell a page to ask for itself again."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from arena.domain import marks
from arena.domain.marks import Shows, Subject
from arena.domain.matches import unannounced
from arena.event_streams import EventStream
from arena.models import Match, Release
from arena.web.tournaments import page_visibility


class MarkStream(EventStream):
    """The marks of a page: each says that the page may have changed, and nothing else.

    A browser that opens a stream anew says in `?after=` which mark it has.
    """

    def __init__(self, request: HttpRequest, subject: Subject) -> None:
        after = request.headers.get("Last-Event-ID") or request.GET.get("after", "")
        super().__init__(topic=subject.topic, after=after)
        self.subject = subject


@require_safe
def of_matches(request: HttpRequest) -> HttpResponseBase:
    """Stream the marks of the lists of matches: of what is public, whoever asks."""
    return MarkStream(request, Subject(Shows.MATCHES))


@require_safe
def of_queue(request: HttpRequest) -> HttpResponseBase:
    """Stream the marks of the queue."""
    return MarkStream(request, Subject(Shows.QUEUE))


@require_safe
def of_match(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """Stream the marks of the pages of a match; answer 204 when it is over."""
    match = unannounced.find(public_id=public_id, viewer=request.user) or get_object_or_404(
        Match.objects.visible_to(request.user), public_id=public_id
    )
    if not match.is_open:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return MarkStream(request, Subject(Shows.MATCH, public_id, Release(match.release)))


@require_safe
def of_tournament(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Stream the marks of the pages of a tournament, as far as the visitor sees it."""
    row = page_visibility.find(slug=slug, viewer=request.user)
    return MarkStream(request, marks.of_tournament(tournament=row, viewer=request.user))
