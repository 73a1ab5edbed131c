import gzip
from collections.abc import Iterable
from typing import Any

from csp.decorators import csp_replace
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from arena.domain.accounts import permissions, staff_log
from arena.domain.errors import Refused
from arena.domain.matches import remarks as matches_remarks
from arena.domain.matches import replays, retention
from arena.models import ANYBODY, Game, GameLog, Match, Release, Version
from arena.texts.names import isolated
from arena.web import numbers
from arena.web.breadcrumbs import match_trail
from arena.web.matches import (
    board_edges,
    labels,
    replay_cache,
    replay_frames,
    seatings,
    stories,
)
from arena.web.matches.seatings import GameShown
from arena.web.viewer import unkept
from engine.variant import FULL

FRESH_S = 600
PLY_DIGITS = 6  # no game is longer


@require_safe
def game(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show one game and its replay at ply `?ply=`, for observer `?view=`, turned with `?flip=1`."""
    rows = Match.objects.visible_to(request.user).for_display()
    match = get_object_or_404(rows, public_id=public_id)
    siblings = list(match.games.all())
    row, shown, title = _game(match, number)
    said = _own(request, row).exclude(remarks=b"").defer("stderr")
    _looked_at(request, row, said, "remarks")
    # The logs of the visitor's own bots; staff see all logs.
    written = _own(request, row).exclude(stderr="").defer("remarks")
    versions = _looked_at(request, row, written, "log")
    context = {
        "title": title,
        "trail": [*match_trail(match), (row.get_absolute_url(), _("Game %s") % number)],
        "match": match,
        "game": shown,
        **_board(request, row, shown),
        "logs": [
            {
                "label": f"{versions[log.position]} ({labels.seat_name(log.seat)})",
                "stderr": log.stderr,
            }
            for log in written
        ],
        "logs_deleted_after_days": _own(request, row).exists()
        and retention.deleted_after_days(match=match),
        "remarks_url": reverse("game-remarks", args=[public_id, number]) if said else "",
        "siblings": siblings if len(siblings) > 1 else [],
    }
    if picture := context["replay"]:
        context["story"] = stories.show(row, picture, said)
        frame = reverse("game-embed", args=[public_id, number])
        context["share"] = {
            "page": row.get_absolute_url(),
            "frame": frame if match.release == Release.PUBLIC else "",
        }
    return unkept(render(request, "matches/game.html", context), match)


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type] # its type knows no slug
def embed(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show the replay of a public game for a frame in another site, as `game` does."""
    rows = Match.objects.visible_to(ANYBODY).for_display()
    row, shown, title = _game(get_object_or_404(rows, public_id=public_id), number)
    theme = request.GET.get("theme", "")
    context = {
        "title": title,
        "theme": theme if theme in ("light", "dark") else "auto",
        "game_url": row.get_absolute_url(),
        **_board(request, row, shown),
    }
    if not context["replay"]:
        raise Http404
    return render(request, "matches/embed.html", context)


def _game(match: Match, number: int) -> tuple[Game, GameShown, str]:
    """Return a game, what is shown of it, and its title. Raise Http404."""
    row = get_object_or_404(match.games.select_related("record"), number=number)
    row.match = match
    shown = seatings.show(row, list(match.entrants.all()))
    names = " \N{EN DASH} ".join(isolated(place.version.bot.name) for place in shown.places)
    return row, shown, _("%(names)s, game %(number)s") % {"names": names, "number": number}


def _board(request: HttpRequest, row: Game, shown: GameShown) -> dict[str, Any]:
    """Return the replay that a request asks for and the edges of its board, if there is one."""
    if not shown.url:
        return {"replay": None}
    views = replays.views_of(game=row)
    asked = request.GET.get("view", FULL)
    document = replay_cache.document(row, asked if asked in views else FULL)
    picture = replay_frames.picture(
        document,
        document_url=reverse("game-replay", args=[row.match.public_id, row.number]),
        ply=numbers.whole(request.GET.get("ply", "0"), digits=PLY_DIGITS) or 0,
        views=views,
        flipped=request.GET.get("flip") == "1",
    )
    return {
        "replay": picture,
        "edges": board_edges.of_game(row, shown.places, document, picture),
    }


@require_safe
def replay(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Return the replay document for `?view=` as JSON."""
    rows = Game.objects.visible_to(request.user).select_related("match__ladder", "record")
    row = get_object_or_404(rows, match__public_id=public_id, number=number)
    try:
        packed = replay_cache.packed(row, request.GET.get("view", FULL))
    except Refused as refusal:
        answer = {"code": refusal.code, "detail": refusal.message}
        return JsonResponse(answer, status=404)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response = HttpResponse(packed, content_type="application/json")
        response["Content-Encoding"] = "gzip"
    else:
        response = HttpResponse(gzip.decompress(packed), content_type="application/json")
    patch_vary_headers(response, ["Accept-Encoding"])
    if row.match.release == Release.PUBLIC:
        patch_cache_control(response, private=True, max_age=FRESH_S)
    return unkept(response, row.match)


@require_safe
def remarks(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Return the notes and beliefs of the visitor's own bots as JSON; staff get all of them."""
    matches = Match.objects.visible_to(request.user).prefetch_related("entrants__version__bot")
    match = get_object_or_404(matches, public_id=public_id)
    row = get_object_or_404(match.games.all(), number=number)
    row.match = match
    logs = _own(request, row)
    if not logs:
        raise Http404
    _looked_at(request, row, logs, "remarks")
    response = JsonResponse({"seats": matches_remarks.documents(logs=logs)})
    patch_cache_control(response, private=True, no_store=True)
    return response


def _own(request: HttpRequest, row: Game) -> QuerySet[GameLog]:
    """Return what the visitor's own bots left, for staff all; nothing before it is disclosed."""
    own = [
        entrant.position
        for entrant in row.match.entrants.all()
        if row.is_disclosed and permissions.may_see_logs(request.user, entrant.version.bot)
    ]
    return row.logs.filter(position__in=own).order_by("position", "seat")


def _looked_at(
    request: HttpRequest, row: Game, logs: Iterable[GameLog], what: str
) -> dict[int, Version]:
    """Record that staff look at these rows, and return the versions by position."""
    versions = {entrant.position: entrant.version for entrant in row.match.entrants.all()}
    staff_log.note_look(
        by=request.user,
        bots=[versions[log.position].bot for log in logs],
        what=f"{what} of {row}",
        url=row.get_absolute_url(),
    )
    return versions
