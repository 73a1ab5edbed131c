"""The list of tournaments, and the main page of a tournament."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.domain.tournaments import log
from arena.models import ANYBODY, Tournament
from arena.web import paging
from arena.web.tournaments import (
    brackets,
    entry_forms,
    life_cycle,
    own_entries,
    page_visibility,
    pairing_lines,
    round_names,
    rule_cards,
    standing_lines,
)
from arena.web.tournaments.lists import TournamentFilterForm, sections

TOP_SHOWN = 8
LOG_SHOWN = 4
BRACKET_SHOWN = 16  # entrants; a larger bracket has its own page


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """List the tournaments that the visitor may see: running, upcoming, over."""
    form = TournamentFilterForm(request.GET)
    wanted = form.cleaned_data if form.is_valid() else {}
    page = paging.page_number(request)
    parts, more = sections(viewer=request.user, wanted=wanted, page=page)
    context = {
        "form": form,
        "is_filtered": form.is_filled,
        "sections": parts,
        **paging.neighbours(request, more=more),
        "newer_label": _("Newer"),
        "older_label": _("Older"),
    }
    return render(request, "tournaments/list.html", context)


@never_cache
@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a tournament: its status, its current matches, and its rules."""
    row = page_visibility.find(slug=slug, viewer=request.user)
    showing = page_visibility.of(tournament=row, viewer=request.user)
    picture = showing.picture
    standings = standing_lines.of(picture)
    lines = standings.top(TOP_SHOWN, viewer=showing.viewer)
    entries = log.of(tournament=row, viewer=showing.viewer)
    latest = list(reversed(entries))[:LOG_SHOWN]
    noted = life_cycle.noted(row)
    has_small_bracket = row.frozen_at and len(picture.entrants) <= BRACKET_SHOWN
    is_decided = row.completed_at and standings.has_started and not showing.is_partial
    context = {
        "tournament": row,
        "showing": showing,
        "steps": life_cycle.steps(row, opened=noted.get("opened"), since=noted.get(row.status)),
        "mine": own_entries.of(showing),
        "of_rounds": picture.format.announced_rounds(picture.setup),
        "name": round_names.of_round(picture, showing.seen) if showing.seen else None,
        "bracket": brackets.of(picture) if has_small_bracket else None,
        "groups": standing_lines.of_groups(picture),
        "qualified": standing_lines.qualified(picture),
        "winner": standings.lines[0] if is_decided else None,
        "pairings": pairing_lines.of_round(picture, showing.seen) if showing.seen else [],
        "standings": standings,
        "lines": lines,
        "is_cut": len(lines) < len(standings.lines),
        "entries": [{"row": entry, "said": log.say(entry)} for entry in latest],
        "offer": entry_forms.offer(showing),
        "entered": sum(entrant.until_round is None for entrant in picture.entrants.values()),
    }
    if is_fragment(request):
        return render(request, "tournaments/_live.html", context)
    context |= page_visibility.frame(row, here="overview", organizes=showing.organizes)
    context |= {
        "rules": rule_cards.rules(showing),
        "is_public": Tournament.objects.visible_to(ANYBODY).filter(pk=row.pk).exists(),
    }
    return render(request, "tournaments/detail.html", context)


def is_fragment(request: HttpRequest) -> bool:
    """Return whether the page only requests its part that changes."""
    return bool(getattr(request, "htmx", False))
