"""Where the points of a bot go."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.domain.bots import points as bot_points
from arena.domain.bots.points import Points
from arena.models import Bot
from arena.web import lookups
from arena.web.bots import point_parts
from arena.web.breadcrumbs import bot_trail


@require_safe
def points(request: HttpRequest, owner: str, bot: str) -> HttpResponse:
    """Show on each ladder against whom, how and with what a bot wins and loses."""
    row = lookups.find_bot(owner, bot)
    found = bot_points.of_bot(bot=row, viewer=request.user)
    context = {
        "bot": row,
        "trail": bot_trail(row),
        "ladders": [_shown(row, on) for on in found],
        "counted": bot_points.LATEST_MATCHES,
        "read": bot_points.LATEST_RECORDS,
    }
    return render(request, "bots/points.html", context)


def _shown(bot: Bot, on: Points) -> dict[str, Any]:
    opponents = [
        (_versus(bot, other), tally) for other, tally in point_parts.most_games(on.opponents)
    ]
    return {
        "ladder": on.ladder,
        "tally": on.tally,
        "figures": point_parts.figures(on),
        "parts": [(_("By opponent"), opponents), point_parts.by_side(on), *point_parts.of(on)],
    }


def _versus(bot: Bot, opponent: Bot) -> SafeString:
    """Return the name of an opponent, which leads to the page of both."""
    names = (bot.owner.username, bot.slug, opponent.owner.username, opponent.slug)
    url = reverse("head-to-head", args=names)
    return format_html('<a href="{}"><bdi>{}</bdi></a>', url, opponent.name)
