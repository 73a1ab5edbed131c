from django.conf import settings
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.domain.ladders import leaderboards
from arena.domain.matches import record_files
from arena.models import Ladder, Season
from arena.web import paging, read_models
from arena.web.breadcrumbs import ladder_trail, records_trail
from arena.web.ladders import leaderboard_rows
from arena.web.ladders.leaderboard_rows import LeaderboardTable

ROWS = 100
TOP_SHOWN = 5
MATCHES_SHOWN = 8
ANNULMENTS_SHOWN = 5


@require_safe
def ladder_list(request: HttpRequest) -> HttpResponse:
    """Show the top of every ladder."""
    return render(request, "ladders/list.html", {"boards": leaderboard_rows.tops(limit=TOP_SHOWN)})


@require_safe
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a leaderboard, with 100 rows on each page."""
    row = get_object_or_404(Ladder, slug=slug)
    first = (paging.page_number(request) - 1) * ROWS
    found = leaderboard_rows.board(ladder=row, limit=ROWS + 1, offset=first)
    annulled = row.annulments.annotate(counted=Count("matches")).order_by("-finish_number")
    context = {
        "ladder": row,
        "seasons": list(row.seasons.order_by("-number")),
        "matches": read_models.finished_matches(
            limit=MATCHES_SHOWN, viewer=request.user, ladder=row
        ),
        "annulments": annulled[:ANNULMENTS_SHOWN],
        **_page(request, found),
    }
    return render(request, "ladders/detail.html", context)


@require_safe
def season(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the leaderboard at the end of a season; redirect a running season to its ladder."""
    row = get_object_or_404(Ladder, slug=slug)
    if number == row.season_number:
        return redirect(row)
    over = get_object_or_404(Season.objects.select_related("ladder"), ladder=row, number=number)
    first = (paging.page_number(request) - 1) * ROWS
    found = leaderboard_rows.archive(season=over, limit=ROWS + 1, offset=first)
    context = {
        "ladder": row,
        "season": over,
        "seasons": list(row.seasons.order_by("-number")),
        "trail": ladder_trail(row, over),
        "earlier": number - 1 if number > 1 else None,
        "later": number + 1 if number + 1 < row.season_number else None,
        **_page(request, found),
    }
    return render(request, "ladders/season.html", context)


@require_safe
def records(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the files of records of a ladder, the latest day first."""
    row = get_object_or_404(Ladder, slug=slug)
    files = record_files.published(ladder=row).select_related("ladder")
    shown, pager = paging.numbered(request, files.order_by("-day", "-number"), size=ROWS)
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


def _page(request: HttpRequest, found: LeaderboardTable) -> dict[str, object]:
    return {
        "board": found.cut(ROWS),
        "ranked_for_days": settings.RANKED_FOR_DAYS,
        "wide": round(leaderboards.WIDE),
        "enough_opponents": leaderboards.ENOUGH_OPPONENTS,
        **paging.neighbours(request, more=len(found.rows) > ROWS),
        "newer_label": _("Higher"),
        "older_label": _("Lower"),
    }
