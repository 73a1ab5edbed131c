from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.domain.matches import filters, live, unannounced
from arena.domain.queue import queue_places
from arena.models import GameStatus, Match
from arena.texts.names import isolated
from arena.web import paging
from arena.web.breadcrumbs import match_trail
from arena.web.matches import labels, replay_frames, seatings, tournament_of_match
from arena.web.matches.filter_form import MatchFilterForm
from arena.web.matches.replay_frames import ReplayFrame
from arena.web.matches.seatings import GameShown
from arena.web.viewer import unkept

MATCHES_SHOWN = 30


@require_safe
def match_list(request: HttpRequest) -> HttpResponse:
    """List all matches, or those that pass the filter, newest first."""
    form = MatchFilterForm(request.GET)
    wanted = form.wanted()
    visible = Match.objects.visible_to(request.user).for_display().not_cancelled()
    rows = visible.none() if wanted is None else filters.apply(visible, wanted)
    order = filters.NEWEST if wanted is None else wanted.order
    page, pages = paging.matches(request, rows, size=MATCHES_SHOWN, order=order)
    context = {
        "form": form,
        "is_filtered": form.is_filled,
        "wanted": wanted,
        "matches": page,
        **pages,
    }
    status = HTTPStatus.OK if wanted is not None else HTTPStatus.BAD_REQUEST
    return render(request, "matches/list.html", context, status=status)


@require_safe
def match(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a match: its entrants, the changes of their ratings, and its games.

    Of an unannounced match, show the ladder, the state and its place in the queue.
    """
    if unnamed := unannounced.find(public_id=public_id, viewer=request.user):
        return _unannounced(request, unnamed)
    visible = Match.objects.visible_to(request.user).for_display()
    rows = visible.select_related("ladder", "rerun_of", "annulment")
    row = get_object_or_404(rows, public_id=public_id)
    entrants = list(row.entrants.all())
    games = list(row.games.all())
    for game in games:
        game.match = row
    events = {event.version_id: event for event in row.rating_events.all()}
    pictured = len(games) <= seatings.SMALL_PICTURES
    shown = [seatings.show(game, entrants, with_picture=pictured) for game in games]
    is_begun = row.is_open and any(game.status == GameStatus.FINISHED for game in games)
    score = seatings.score_so_far(game.places for game in shown) if is_begun else {}
    context = {
        "match": row,
        "title": " \N{EN DASH} ".join(isolated(entrant.version.bot.name) for entrant in entrants),
        "trail": match_trail(row),
        "sides": [
            {
                "entrant": entrant,
                "points": score.get(entrant.version_id)
                if entrant.points is None
                else entrant.points,
                "event": events.get(entrant.version_id),
            }
            for entrant in entrants
        ],
        "games": shown,
        "chance": _chance(request, row, shown),
        "event": tournament_of_match.of(match=row, viewer=request.user),
        "unsafe": any(game.is_unsafe for game in games),
        "replay": _live(request, row) if row.is_open else None,
    }
    return unkept(render(request, "matches/detail.html", context), row)


def _live(request: HttpRequest, row: Match) -> ReplayFrame:
    """Return the board on which an open match is watched."""
    perspectives = live.perspectives(match=row, viewer=request.user)
    return replay_frames.live_picture(
        row.ladder,
        live_url=reverse("match-live", args=[row.public_id]),
        perspectives={
            name: _("What %(bot)s sees") % {"bot": isolated(entrant.version.bot.name)}
            if entrant
            else labels.view_name(name)
            for name, entrant in perspectives.items()
        },
    )


def _chance(request: HttpRequest, row: Match, games: Sequence[GameShown]) -> dict[str, Any] | None:
    """Return where the chance of a match comes from, and the command that checks its first game.

    The command comes in parts that should not be broken. An old match has no secret: return None.
    """
    if not row.commitment:
        return None
    if not row.shown_secret:
        words = _(
            "All chance of this match follows from a secret, which is shown when the match is over."
        )
    elif row.place:
        words = _(
            "All chance of this match follows from the secret, so anybody can check it. The secret "
            "follows from that of the tournament and the place of the match there."
        )
    else:
        words = _("All chance of this match follows from the secret, so anybody can check it.")
    record = next((game.record for game in games if game.record), "")
    site = f"--site {request.scheme}://{request.get_host()}"
    command = ["drapeau verify", request.build_absolute_uri(record), site]
    return {
        "words": words,
        "commitment": row.commitment,
        "secret": row.shown_secret,
        "place": row.place if row.shown_secret else "",
        "command": [*command, f"--commitment {row.commitment}"] if record else [],
    }


def _unannounced(request: HttpRequest, row: Match) -> HttpResponse:
    context = {
        "match": row,
        "title": _("A match of %(ladder)s") % {"ladder": row.ladder.name},
        "trail": match_trail(row),
        "place": queue_places.place_of(row=row, viewer=request.user),
        "chance": _chance(request, row, []),
    }
    response = render(request, "matches/unannounced.html", context)
    patch_cache_control(response, private=True, no_store=True)  # it changes when a runner begins
    return response
