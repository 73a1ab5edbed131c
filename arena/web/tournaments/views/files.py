"""Downloads of a tournament: tables for spreadsheets and programs, dates for calendars."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.domain.tournaments import calendars, exports, visibility
from arena.web.downloads import CSV, named
from arena.web.tournaments import page_visibility

CALENDAR = "text/calendar; charset=utf-8"


@never_cache
@require_safe
def export_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a table, chosen by `?table=`, of the rounds that the visitor may see."""
    row = page_visibility.find(slug=slug, viewer=request.user)
    what = request.GET.get("table", "standings")
    if what not in exports.TABLES:
        raise Http404
    seen = visibility.rounds_seen(tournament=row, viewer=request.user)
    text = exports.table(tournament=row, rounds=seen, what=what)
    return named(HttpResponse(text, content_type=CSV), f"{row.slug}-{what}.csv")


@never_cache
@require_safe
def export_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Return as JSON all that the visitor may see of the tournament."""
    row = page_visibility.find(slug=slug, viewer=request.user)
    seen = visibility.rounds_seen(tournament=row, viewer=request.user)
    document = exports.document(tournament=row, rounds=seen)
    response = JsonResponse(document, json_dumps_params={"indent": 2})  # people read it too
    return named(response, f"{row.slug}.json")


@require_safe
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the dates of a tournament."""
    row = page_visibility.find(slug=slug, viewer=request.user)
    dates = calendars.of_one(tournament=row, address=request.build_absolute_uri)
    return named(HttpResponse(dates, content_type=CALENDAR), f"{slug}.ics")


@require_safe
def all_dates(request: HttpRequest) -> HttpResponse:
    """Return the dates of all public tournaments."""
    dates = calendars.of_all(address=request.build_absolute_uri)
    return named(HttpResponse(dates, content_type=CALENDAR), "tournaments.ics")
