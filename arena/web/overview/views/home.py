from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.domain.matches import listings, replays
from arena.models import Game, Match
from arena.texts import lists
from arena.texts.names import isolated
from arena.web.ladders import leaderboard_rows
from arena.web.matches import replay_cache, replay_frames, seatings
from engine.variant import PUBLIC

TOP_SHOWN = 5
MATCHES_SHOWN = 8
RUN_UP = 6  # plies before a fight, so that the replay leads up to it


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show a game as the public may see it, the top of the ladders and the latest matches."""
    context = {
        "boards": leaderboard_rows.tops(limit=TOP_SHOWN),
        "matches": listings.finished_matches(limit=MATCHES_SHOWN, viewer=request.user),
        "replay": None,
        **_featured(),
        "now": _now(),
    }
    return render(request, "overview/home.html", context)


def _now() -> dict[str, Any] | None:
    """Return the board of a running match, which the stream of the match fills."""
    match = listings.match_on_the_board()
    if match is None:
        return None
    games = list(match.games.all())
    live_url = reverse("match-live", args=[match.public_id])
    for game in games:
        game.match = match
    entrants = list(match.entrants.all())
    score = seatings.score_so_far(seatings.places_of(game, entrants) for game in games)
    # The game may have ended since the match was found. The names keep their room all the same.
    shown = next((game for game in games if game.status == Game.Status.RUNNING), games[0])
    return {
        "match": match,
        "replay": replay_frames.live_picture(match.ladder, live_url=live_url, perspectives={}),
        "featured": {"line": _line(match, games[0]), "url": match.get_absolute_url()},
        "games": [
            {"row": game, "edges": _edges(game, match, score), "is_hidden": game != shown}
            for game in games
        ],
    }


def _featured() -> dict[str, Any]:
    match = listings.featured_match()
    if match is None:
        return {}
    finished = [game for game in match.games.all() if game.status == Game.Status.FINISHED]
    game = max(finished, key=lambda game: (not game.fault, game.plies), default=None)
    if game is None:
        return {}
    document = replay_cache.document(game, PUBLIC)
    score = {entrant.version_id: entrant.points for entrant in match.entrants.all()}
    # A ply in the middle of the game: shortly before a fight, or after a quarter of it.
    steps = document["steps"]
    fights = (number for number, step in enumerate(steps, start=1) if step["event"] == "fight")
    return {
        "replay": replay_frames.picture(
            document,
            document_url=reverse("game-replay", args=[match.public_id, game.number]),
            ply=max(0, next((ply for ply in fights if ply * 4 > len(steps)), 0) - RUN_UP),
            views=replays.views_of(game=game),
        ),
        "featured": {
            "key": f"{match.public_id}-{game.number}",
            "line": _line(match, game),
            "edges": _edges(game, match, score),
            "url": game.get_absolute_url(),
        },
    }


def _line(match: Match, game: Game) -> str:
    places = seatings.places_of(game, list(match.entrants.all()))
    names = lists.all_of(isolated(place.version.bot.name) for place in places)
    return _("%(names)s meet on %(ladder)s") % {"names": names, "ladder": match.ladder.name}


def _edges(game: Game, match: Match, score: Mapping[int, float | None]) -> dict[str, Any]:
    """Return who plays with the score of the match: the last seats above the board, as trays."""
    places = seatings.places_of(game, list(match.entrants.all()))
    shown = [(place, score[place.version.pk]) for place in places]
    below = (len(shown) + 1) // 2
    return {"above": shown[below:], "below": shown[:below]}
