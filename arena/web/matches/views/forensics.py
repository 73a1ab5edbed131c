import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.domain.accounts import staff_log
from arena.domain.matches import evidence, forensics
from arena.domain.matches.forensics import AbnormalEnd, Grammar, Inside
from arena.models import Game, Match
from arena.web.breadcrumbs import match_trail
from arena.web.matches import (
    labels,
    replay_cache,
    replay_frames,
    seatings,
    termination_help,
    usage_bars,
)
from arena.web.viewer import unkept
from engine.outcome import PLATFORM

LEGAL_SHOWN = 60


@require_safe
def game_forensics(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show why a game ended abnormally; show private data only to users who may see it."""
    rows = Match.objects.visible_to(request.user).for_display()
    match = get_object_or_404(rows, public_id=public_id)
    row = get_object_or_404(match.games.all(), number=number)
    row.match = match
    ends = forensics.of_game(game=row, viewer=request.user)
    if not ends:
        raise Http404
    staff_log.note_look(
        by=request.user,
        bots=[end.version.bot for end in ends if end.inside and end.version],
        what=f"evidence of {row}",
        url=row.get_absolute_url(),
    )
    here = reverse("game-forensics", args=[public_id, number])
    game = (row.get_absolute_url(), _("Game %s") % number)
    context = {
        "title": _("What went wrong in game %(number)s") % {"number": number},
        "trail": [*match_trail(match), game, (here, _("What went wrong"))],
        "match": match,
        "game": seatings.show(row, list(match.entrants.all())),
        "ends": [_shown(request, row, end) for end in ends],
    }
    return unkept(render(request, "matches/forensics.html", context), match)


def _shown(request: HttpRequest, row: Game, end: AbnormalEnd) -> dict[str, Any]:
    again = []  # the command that replays the game locally, in parts that should not be broken
    if end.inside:
        record = request.build_absolute_uri(seatings.record_path(row))
        bot = forensics.program_of(version=end.version) if end.version else ""
        again = ["drapeau reproduce", record, f"--seat {end.seat}", bot]
    return {
        "end": end,
        "detail": end.detail.removeprefix("illegal: "),  # the name of the end already says so
        "label": "" if end.seat == PLATFORM else labels.seat_name(end.seat),
        "meaning": termination_help.of(end.termination),
        "measurements": [usage_bars.bar(measurement) for measurement in end.measurements],
        "picture": _picture(row, end) if row.is_disclosed else None,
        "replay": f"{row.get_absolute_url()}?ply={row.plies}&view={end.seat}",
        "inside": _inside(end.inside) if end.inside else None,
        "again": again,
    }


def _picture(row: Game, end: AbnormalEnd) -> str:
    """Draw the last position as the seat saw it, which is public because the match is over."""
    document = replay_cache.document(row, end.seat)
    scene = replay_frames.scene_at(document, len(document["steps"]))
    title = _("The last position, as %(seat)s saw it") % {"seat": labels.seat_name(end.seat)}
    return replay_frames.draw(scene, title=title, still=True)


def _inside(inside: Inside) -> dict[str, Any]:
    row = inside.row
    ending, means = termination_help.end_of(row) if row else ("", "")
    return {
        "stderr": "\n".join(inside.stderr),
        "left_out": inside.stderr_left_out,
        "grammar": _grammar(inside.grammar) if inside.grammar else None,
        "measurements": [usage_bars.bar(measurement) for measurement in inside.measurements],
        "request": _line(row.request) if row else None,
        "received": _line(row.received) if row else None,
        "ending": ending,
        "ending_means": means,
    }


def _line(data: evidence.Stored) -> dict[str, Any]:
    return {
        "size": evidence.size(data),
        "shown": evidence.readable(data),
        "is_text": evidence.is_text(data),
    }


def _grammar(grammar: Grammar) -> dict[str, Any]:
    legal = grammar.legal or []
    if grammar.notation is None:
        line = {"type": grammar.answer["properties"]["type"]["const"]}
    else:
        line = {"action": grammar.notation["examples"][0]}
    return {
        "phase": grammar.phase,
        "line": json.dumps(line),  # that the referee would have accepted
        "answer": json.dumps(grammar.answer, indent=2),
        "notation": grammar.notation,
        "legal": legal[:LEGAL_SHOWN],
        "legal_count": len(legal),
        "legal_more": max(0, len(legal) - LEGAL_SHOWN),
    }
