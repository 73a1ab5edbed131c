from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from arena.domain.queries import queue_places
from arena.domain.queue import alarms, first_game_waits
from arena.models import User
from arena.web.paging import neighbours, page_number


class HtmxRequest(HttpRequest):
    """A request that passed through the htmx middleware."""

    htmx: HtmxDetails


@never_cache
@require_safe
def queue(request: HtmxRequest) -> HttpResponse:
    """Show running and waiting matches, or only the visitor's; htmx gets only that part."""
    number = page_number(request)
    first = (number - 1) * queue_places.ROWS
    of = _asked_for(request)
    found = queue_places.queue(viewer=request.user, offset=first, of=of)
    pages = neighbours(number, more=first + queue_places.ROWS < found.shown_of)
    context = {
        "queue": found,
        "in_work": [place for place in found.places if place.position is None],
        "waiting": [place for place in found.places if place.position is not None],
        "first_game": first_game_waits.first_game(),
        "alarm": alarms.of(oldest_s=found.longest_wait_s),
        "mine": of is not None,
        **{name: f"{to}&mine=1" if to and of else to for name, to in pages.items()},
        "newer_label": _("Sooner"),
        "older_label": _("Later"),
    }
    return render(request, "queue/_rows.html" if request.htmx else "queue/list.html", context)


def _asked_for(request: HttpRequest) -> User | None:
    """Return the visitor if the query has `?mine=1` and the visitor is signed in."""
    user = request.user
    return user if request.GET.get("mine") == "1" and user.is_authenticated else None
