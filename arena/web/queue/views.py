from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from arena.domain.queue import alarms, first_game_waits, queue_places
from arena.web import paging


class HtmxRequest(HttpRequest):
    """A request that passed through the htmx middleware."""

    htmx: HtmxDetails


@never_cache
@require_safe
def queue(request: HtmxRequest) -> HttpResponse:
    """Show running and waiting matches, or only the visitor's; htmx gets only that part."""
    first = (paging.page_number(request) - 1) * queue_places.ROWS
    user = request.user
    of = user if request.GET.get("mine") == "1" and user.is_authenticated else None
    listed = queue_places.queue(viewer=user, offset=first, of=of)
    context = {
        "queue": listed,
        "latest": queue_places.LATEST,
        "in_work": [place for place in listed.places if place.position is None],
        "waiting": [place for place in listed.places if place.position is not None],
        "first_game": first_game_waits.first_game(),
        "alarm": alarms.of(oldest_s=listed.longest_wait_s),
        "mine": of is not None,
        **paging.neighbours(request, more=first + queue_places.ROWS < listed.shown_of),
        "newer_label": _("Sooner"),
        "older_label": _("Later"),
    }
    return render(request, "queue/_rows.html" if request.htmx else "queue/list.html", context)
