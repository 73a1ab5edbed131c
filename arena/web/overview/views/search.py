from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from arena.domain import search as names
from arena.domain.search import Hits, SearchResult
from arena.web.bots import manual_pages
from arena.web.variants import rules


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Show the pages with the name in `?q=`, by kind."""
    text = request.GET.get("q", "").strip()
    result = names.find(text=text, viewer=request.user)
    groups = [group for group in _groups(result) if group["lines"]]
    count = len(result.matches) + sum(len(group["lines"]) for group in groups)
    if any(group["has_more"] for group in groups):
        summary = ngettext("More than %(count)s result", "More than %(count)s results", count)
    else:
        summary = ngettext("%(count)s result", "%(count)s results", count)
    context = {
        "searched": text,
        "matches": result.matches,
        "groups": groups,
        "summary": summary % {"count": count},
        "is_too_long": len(text) > names.LONGEST,
        "longest": names.LONGEST,
    }
    return render(request, "overview/search.html", context)


def _groups(result: SearchResult) -> list[dict[str, Any]]:
    return [
        _group(
            _("Bots"),
            result.bots,
            (
                {"url": row.get_absolute_url(), "name": row.name, "about": str(row)}
                for row in result.bots.rows
            ),
        ),
        _group(
            _("People"),
            result.users,
            ({"url": row.get_absolute_url(), "name": row.username} for row in result.users.rows),
        ),
        _group(
            _("Tournaments"),
            result.tournaments,
            (
                {
                    "url": row.get_absolute_url(),
                    "name": row.name,
                    "about": f"{row.ladder.name} · {row.get_status_display()}",
                }
                for row in result.tournaments.rows
            ),
        ),
        _group(
            _("Ladders"),
            result.ladders,
            ({"url": row.get_absolute_url(), "name": row.name} for row in result.ladders.rows),
        ),
        _group(
            _("Rules of the games"),
            result.variants,
            (
                {"url": reverse("variant", args=[variant.slug]), "name": variant.title}
                for variant in result.variants.rows
            ),
        ),
        _group(
            _("Documentation"),
            result.manual,
            (
                {
                    "url": manual_pages.address_of(entry.path),
                    "name": entry.name,
                    "about": rules.inline(entry.about),
                }
                for entry in result.manual.rows
            ),
        ),
    ]


def _group(title: str, hits: Hits[Any], lines: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return {"title": title, "lines": list(lines), "has_more": hits.has_more}
