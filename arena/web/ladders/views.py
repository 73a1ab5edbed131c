from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.domain import spreadsheets
from arena.domain.matches import listings, record_files
from arena.domain.ratings import seasons
from arena.models import Ladder, Season, keyset
from arena.web import paging
from arena.web.breadcrumbs import ladder_trail, records_trail
from arena.web.downloads import CSV, named
from arena.web.ladders import leaderboard_rows
from arena.web.ladders.leaderboard_rows import LeaderboardTable
from arena.web.visitor_pages import kept_for_visitors

ROWS = 100
CSV_ROWS = 1000
TOP_SHOWN = 5
MATCHES_SHOWN = 8
ANNULMENTS_SHOWN = 5


@require_safe
def ladder_list(request: HttpRequest) -> HttpResponse:
    """Show the top of every ladder."""
    return render(request, "ladders/list.html", {"boards": leaderboard_rows.tops(limit=TOP_SHOWN)})


@require_safe
@kept_for_visitors
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a leaderboard, with 100 rows on each page."""
    row = get_object_or_404(Ladder, slug=slug)
    page = _page(request, partial(leaderboard_rows.board, ladder=row))
    annulled = row.annulments.annotate(counted=Count("matches")).order_by("-finish_number")
    context = {
        "ladder": row,
        "seasons": list(row.seasons.order_by("-number")),
        "matches": listings.finished_matches(limit=MATCHES_SHOWN, viewer=request.user, ladder=row),
        "annulments": annulled[:ANNULMENTS_SHOWN],
        "own": leaderboard_rows.own(ladder=row, viewer=request.user, but=page["board"]),
        **page,
    }
    return render(request, "ladders/detail.html", context)


@require_safe
@kept_for_visitors
def leaderboard_csv(_request: HttpRequest, slug: str) -> HttpResponse:
    """Send the top of a leaderboard as comma-separated values."""
    row = get_object_or_404(Ladder, slug=slug)
    text = spreadsheets.text(leaderboard_rows.cells(ladder=row, limit=CSV_ROWS))
    return named(HttpResponse(text, content_type=CSV), f"{row.slug}.csv")


@require_safe
def season(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the leaderboard at the end of a season; redirect a running season to its ladder."""
    row = get_object_or_404(Ladder, slug=slug)
    if number == row.season_number:
        return redirect(row)
    over = get_object_or_404(Season.objects.select_related("ladder"), ladder=row, number=number)
    context = {
        "ladder": row,
        "season": over,
        "seasons": list(row.seasons.order_by("-number")),
        "pending": seasons.is_pending(season=over),
        "trail": ladder_trail(row, over),
        "earlier": number - 1 if number > 1 else None,
        "later": number + 1 if number + 1 < row.season_number else None,
        **_page(request, partial(leaderboard_rows.archive, season=over)),
    }
    return render(request, "ladders/season.html", context)


@require_safe
def records(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the files of records of a ladder, the latest day first."""
    row = get_object_or_404(Ladder, slug=slug)
    files = record_files.published(ladder=row).select_related("ladder")
    shown, pager = paging.listed(request, files, order=("-day", "-number"), size=ROWS)
    since = shown[0].day if shown else "DATE"
    site = request.build_absolute_uri("/").rstrip("/")
    context = {
        "ladder": row,
        "trail": records_trail(row),
        "files": shown,
        "licence": settings.RECORDS_LICENCE,
        "command": f"drapeau data {row.slug} --since {since} --site {site}",
        **pager,
        "newer_label": _("Newer"),
        "older_label": _("Older"),
    }
    return render(request, "ladders/records.html", context)


def _page(request: HttpRequest, lines: Callable[..., LeaderboardTable]) -> dict[str, Any]:
    """Return the context of the page that the query asks for. Raise Http404."""
    first, turn = (paging.page_number(request) - 1) * ROWS, paging.turn_of(request)
    try:
        table = lines(limit=ROWS + 1, offset=first, turn=turn)
    except keyset.NOT_OF_THE_LIST as exc:
        raise Http404 from exc
    rows, pages = paging.cut(request, table.rows, size=ROWS, mark=attrgetter("mark"))
    return {
        "board": replace(table, rows=rows),
        "ranked_for_days": settings.RANKED_FOR_DAYS,
        "ranked_from_games": settings.RANKED_FROM_GAMES,
        **pages,
        "newer_label": _("Higher"),
        "older_label": _("Lower"),
    }
