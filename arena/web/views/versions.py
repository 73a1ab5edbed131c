from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.models import Version
from arena.web import readings
from arena.web.trails import version_trail
from arena.web.visitors import owns, sees_logs

SETTLED = ("ready", "rejected", "retired")
MATCHES_SHOWN = 10


@require_safe
def version(request: HttpRequest, owner: str, bot: str, number: int) -> HttpResponse:
    """Show one upload: its checklist, its facts and its matches."""
    row = _find(owner, bot, number)
    context = {
        "bot": row.bot,
        "trail": version_trail(row),
        "matches": list(readings.matches_of(version=row)[:MATCHES_SHOWN]),
        **_checklist(request, row),
    }
    return render(request, "versions/detail.html", context)


@never_cache
@require_safe
def checklist(request: HttpRequest, owner: str, bot: str, number: int) -> HttpResponse:
    """Give the checklist alone; the page asks for it until the version is settled."""
    return render(
        request, "versions/_checklist.html", _checklist(request, _find(owner, bot, number))
    )


def _find(owner: str, bot: str, number: int) -> Version:
    rows = Version.objects.select_related("bot__owner")
    return get_object_or_404(rows, bot__owner__username=owner, bot__slug=bot, number=number)


def _checklist(request: HttpRequest, row: Version) -> dict[str, Any]:
    return {
        "version": row,
        "checks": row.checks.order_by("position"),
        "polling": row.status not in SETTLED,
        "sees_log": sees_logs(request, row.bot),
        "is_owner": owns(request, row.bot),
    }
