"""The pages of a tournament that show its results, one view each."""

from collections.abc import Mapping
from typing import Any

from csp.decorators import csp_replace
from django.contrib.auth.models import AnonymousUser
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from arena.domain.tournaments import crosstables, participation
from arena.domain.tournaments import log as tournament_log
from arena.domain.tournaments.entry import entries
from arena.models import Tournament
from arena.web import numbers
from arena.web.tournaments import (
    brackets,
    entry_forms,
    format_words,
    page_visibility,
    pairing_lines,
    round_names,
    rule_cards,
    standing_lines,
)
from arena.web.tournaments.page_visibility import Showing
from arena.web.tournaments.views.tournaments import is_fragment

ANYBODY = AnonymousUser()


@never_cache
@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings, with all tie-breaks and what each decided."""
    showing = _showing(request, slug)
    context = _standings(showing)
    return _page(request, showing, "standings", context)


@never_cache
@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all rounds, the latest first."""
    showing = _showing(request, slug)
    return _page(request, showing, "rounds", {"rounds": _rounds(showing)})


@never_cache
@require_safe
def tournament_round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a round. Raise Http404 for rounds that are not drawn or not visible."""
    showing = _showing(request, slug)
    if not 1 <= number <= showing.seen:
        raise Http404
    context = {
        "number": number,
        "name": round_names.of_round(showing.picture, number),
        "round": showing.picture.rounds[number - 1],
        "pairings": pairing_lines.of_round(showing.picture, number),
        "entries": _log(showing, number),
        "earlier": number - 1 if number > 1 else None,
        "later": number + 1 if number < showing.seen else None,
    }
    return _page(request, showing, "round", context)


@never_cache
@require_safe
def cross(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the results of all entrants against each other."""
    showing = _showing(request, slug)
    return _page(request, showing, "crosstable", _cross(showing))


@never_cache
@require_safe
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the bracket, with the rounds to come."""
    showing = _showing(request, slug)
    if not showing.picture.format.has_bracket:
        raise Http404
    return _page(request, showing, "bracket", {"bracket": brackets.of(showing.picture)})


@never_cache
@require_safe
def entrants(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the entrants by seed, with versions and digests; organizers can add more."""
    row = page_visibility.find(slug=slug, viewer=request.user)
    return entrants_page(request, row, refused={})


def entrants_page(
    request: HttpRequest, row: Tournament, *, refused: Mapping[str, Form]
) -> HttpResponse:
    """Show the entrants, with refused forms as the user sent them."""
    showing = page_visibility.of(tournament=row, viewer=request.user)
    context = _entrants(showing) | {
        "imports": entry_forms.imports(showing, **refused),
    }
    response = _page(request, showing, "entrants", context)
    response.status_code = 400 if refused else 200
    return response


@never_cache
@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the log, latest first; with `?round=`, only that of one round."""
    showing = _showing(request, slug)
    number = numbers.whole(request.GET.get("round", ""), digits=numbers.SMALL_DIGITS)
    context = {
        "entries": _log(showing, number),
        "number": number,
        "numbers": range(1, showing.seen + 1),
    }
    return _page(request, showing, "log", context)


@never_cache
@require_safe
def printable(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the whole tournament on one printable page."""
    showing = _showing(request, slug)
    context = {
        "rules": rule_cards.rules(showing),
        "rounds": list(reversed(_rounds(showing))),
        "entries": list(reversed(_log(showing, None))),
        "imports": None,
        **_standings(showing),
        **_entrants(showing),
    }
    if showing.picture.format.has_bracket:
        context["bracket"] = brackets.of(showing.picture)
    if showing.picture.format.has_crosstable:
        context |= _cross(showing)
    return _page(request, showing, "print", context)


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type] # its type knows no slug
def embed(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the public standings or bracket, for a frame in another site."""
    row = page_visibility.find(slug=slug, viewer=ANYBODY)
    showing = page_visibility.of(tournament=row, viewer=ANYBODY)
    theme = request.GET.get("theme", "")
    context = {
        "tournament": row,
        "showing": showing,
        "theme": theme if theme in ("light", "dark") else "auto",
        **_standings(showing),
    }
    if request.GET.get("show") == "bracket" and showing.picture.format.has_bracket:
        context["bracket"] = brackets.of(showing.picture)
    name = "_embedded" if is_fragment(request) else "embed"
    return render(request, f"tournaments/{name}.html", context)


def _showing(request: HttpRequest, slug: str) -> Showing:
    row = page_visibility.find(slug=slug, viewer=request.user)
    return page_visibility.of(tournament=row, viewer=request.user)


def _page(
    request: HttpRequest, showing: Showing, here: str, context: dict[str, Any]
) -> HttpResponse:
    tab = "rounds" if here == "round" else here
    frame = page_visibility.frame(showing.tournament, here=tab, organizes=showing.organizes)
    return render(request, f"tournaments/{here}.html", {"showing": showing, **frame, **context})


def _standings(showing: Showing) -> dict[str, Any]:
    table = standing_lines.of(showing.picture)
    return {
        "standings": table,
        "lines": table.lines,
        "groups": standing_lines.of_groups(showing.picture),
        "qualified": standing_lines.qualified(showing.picture),
        "ranking": format_words.ranking_words(
            showing.picture.format, showing.tournament.tie_breaks
        ),
        "unplayed": format_words.unplayed(showing.picture.format, showing.tournament.tie_breaks),
        "deviations": format_words.deviations(showing.picture.format, showing.picture.setup),
    }


def _rounds(showing: Showing) -> list[dict[str, Any]]:
    return [
        {
            "row": row,
            "name": round_names.of_round(showing.picture, row.number),
            "pairings": pairing_lines.of_round(showing.picture, row.number),
            "prefix": f"r{row.number}-",
        }
        for row in reversed(showing.picture.rounds)
    ]


def _cross(showing: Showing) -> dict[str, Any]:
    picture = showing.picture
    lines = crosstables.of(picture)
    rows = {row.entrant: row for row in picture.standings}
    return {
        "cross_lines": [
            (rows[line.entrant], picture.entrants[line.entrant], line) for line in lines
        ],
        "cross_heads": [(rows[line.entrant], picture.entrants[line.entrant]) for line in lines],
        "meets_more": picture.setup.size > 2,  # noqa: PLR2004 - a duel
    }


def _entrants(showing: Showing) -> dict[str, Any]:
    row = showing.tournament
    if row.is_before_freeze:
        inside = entries.seeding(tournament=row)
    else:
        inside = sorted(showing.picture.entrants.values(), key=lambda entrant: entrant.seed or 0)
    asked = row.entrants.filter(status="invited").select_related("bot__owner")
    return {
        "inside": [
            (
                entrant,
                standing_lines.mark(entrant, rounds=showing.seen),
                participation.from_round(entrant, rounds=showing.seen),
            )
            for entrant in inside
        ],
        "is_before_freeze": row.is_before_freeze,
        "invited": list(asked) if showing.organizes and row.is_before_freeze else [],
    }


def _log(showing: Showing, number: int | None) -> list[dict[str, Any]]:
    rows = tournament_log.of(tournament=showing.tournament, viewer=showing.viewer)
    return [
        {"row": entry, "said": tournament_log.say(entry)}
        for entry in reversed(list(rows))
        if number is None or entry.round_number == number
    ]
