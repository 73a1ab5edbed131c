from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.domain import addresses
from arena.domain.bots import head_to_head
from arena.domain.bots import points as bot_points
from arena.domain.bots.head_to_head import OnLadder
from arena.domain.bots.points import Points
from arena.domain.errors import Refused
from arena.models import Bot
from arena.web import lookups, paging
from arena.web.bots import point_parts
from arena.web.breadcrumbs import bot_trail
from arena.web.matches import labels, usage_bars

MATCHES_SHOWN = 30


@require_safe
def compare(
    request: HttpRequest, owner: str, bot: str, other_owner: str, other: str
) -> HttpResponse:
    """Show the results of two bots against each other."""
    first = lookups.find_bot(owner, bot)
    second = lookups.find_bot(other_owner, other)
    try:
        results = head_to_head.between(bot=first, opponent=second, viewer=request.user)
    except Refused as refusal:
        return _refused(request, first, "", refusal)
    points = {
        on.ladder: on for on in bot_points.of_pair(bot=first, opponent=second, viewer=request.user)
    }
    rows = head_to_head.matches_between(bot=first, opponent=second, viewer=request.user)
    page, pages = paging.matches(request, rows, size=MATCHES_SHOWN)
    groups: list[dict[str, Any]] = [
        {
            "title": _("Rated matches"),
            "ladders": [_shown(on, points.get(on.ladder)) for on in results.rated],
            "is_rated": True,
        },
        {
            "title": _("Challenges"),
            "ladders": [_shown(on, None) for on in results.challenges],
            "is_rated": False,
        },
    ]
    context = {
        "bot": first,
        "opponent": second,
        "trail": bot_trail(first),
        "groups": [group for group in groups if group["ladders"] or group["is_rated"]],
        "is_cut": results.is_cut,
        "counted": head_to_head.LATEST_MATCHES,
        "read": bot_points.LATEST_RECORDS,
        "matches": page,
        **pages,
    }
    return render(request, "overview/head_to_head.html", context)


@require_safe
def pick(request: HttpRequest, owner: str, bot: str) -> HttpResponse:
    """Redirect from `?opponent=owner/bot` to the page of both bots, or show why there is none."""
    first = lookups.find_bot(owner, bot)
    name = request.GET.get("opponent", "").strip()
    try:
        second = addresses.find_bot(name)
    except Refused as refusal:
        return _refused(request, first, name, refusal)
    names = (first.owner.username, first.slug, second.owner.username, second.slug)
    return redirect("head-to-head", *names)


def _refused(request: HttpRequest, bot: Bot, name: str, refusal: Refused) -> HttpResponse:
    context = {"bot": bot, "trail": bot_trail(bot), "said": refusal.message, "name": name}
    status = HTTPStatus.BAD_REQUEST
    return render(request, "overview/head_to_head_pick.html", context, status=status)


def _shown(on: OnLadder, points: Points | None) -> dict[str, Any]:
    low, high = on.tally.interval
    return {
        "figures": point_parts.figures(points) if points else [],
        "ladder": on.ladder,
        "tally": on.tally,
        "low": low,
        "high": high,
        "expected": on.expected,
        "picture": usage_bars.score(on.tally.score, low=low, high=high, expected=on.expected),
        "form": on.form,
        "parts": [
            (_("By side"), [(labels.seat_name(side), on.sides[side]) for side in sorted(on.sides)]),
            (
                _("By versions"),
                [
                    (_("v%(own)s against v%(other)s") % {"own": own, "other": other}, tally)
                    for (own, other), tally in sorted(on.versions.items(), reverse=True)
                ],
            ),
            *(point_parts.of(points) if points else ()),
        ],
    }
