from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from arena.domain import queries


class HtmxRequest(HttpRequest):
    """A request that passed through the htmx middleware."""

    htmx: HtmxDetails


@never_cache
@require_safe
def queue(request: HtmxRequest) -> HttpResponse:
    """Show all that waits; htmx gets the rows alone."""
    page = "queue/_rows.html" if request.htmx else "queue/list.html"
    return render(request, page, {"waiting": queries.queue()})
