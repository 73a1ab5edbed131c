from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.models import Ladder
from arena.web import boards, readings
from arena.web.paging import neighbours, page_number

ROWS = 100
TOP_SHOWN = 5
MATCHES_SHOWN = 8


@require_safe
def ladder_list(request: HttpRequest) -> HttpResponse:
    """Show the top of every ladder."""
    return render(request, "ladders/list.html", {"boards": boards.tops(limit=TOP_SHOWN)})


@require_safe
def ladder(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a leaderboard, a hundred rows to a page."""
    row = get_object_or_404(Ladder, slug=slug)
    number = page_number(request)
    rows = boards.rows(ladder=row, limit=ROWS + 1, offset=(number - 1) * ROWS)
    context = {
        "ladder": row,
        "rows": rows[:ROWS],
        "matches": readings.finished_matches(limit=MATCHES_SHOWN, ladder=row),
        **neighbours(number, more=len(rows) > ROWS),
        "newer_label": _("Higher"),
        "older_label": _("Lower"),
    }
    return render(request, "ladders/detail.html", context)
