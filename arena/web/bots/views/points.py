"""Where the points of a bot go."""

from statistics import fmean
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.domain.bots import points as bot_points
from arena.domain.bots.head_to_head import Tally
from arena.domain.bots.points import Points
from arena.models import Bot
from arena.texts.matches import MEANINGS
from arena.web import lookups
from arena.web.breadcrumbs import bot_trail
from arena.web.matches import labels, usage_bars
from engine import registry

ROWS = 10  # of each part: those with most games


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
    return {
        "ladder": on.ladder,
        "tally": on.tally,
        "forfeits": on.forfeits,
        "mean": usage_bars.amount(fmean(on.action_ms), "ms") if on.action_ms else "",
        "slowest": usage_bars.amount(max(on.action_ms), "ms") if on.action_ms else "",
        "parts": [
            (_("By opponent"), [(_versus(bot, other), of) for other, of in _most(on.opponents)]),
            (_("By side"), [(labels.seat_name(side), of) for side, of in _most(on.sides)]),
            (_("By ending"), [(_ending(word), of) for word, of in _most(on.endings)]),
            (
                _("By length"),
                [(_("up to %s plies") % most, of) for most, of in sorted(on.lengths.items())],
            ),
            (
                _("By set-up"),
                [(format_html("<code>{}</code>", setup), of) for setup, of in _most(on.setups)],
            ),
        ],
    }


def _versus(bot: Bot, opponent: Bot) -> SafeString:
    """Return the name of an opponent, which leads to the page of both."""
    names = (bot.owner.username, bot.slug, opponent.owner.username, opponent.slug)
    url = reverse("head-to-head", args=names)
    return format_html('<a href="{}"><bdi>{}</bdi></a>', url, opponent.name)


def _most(tallies: dict[Any, Tally]) -> list[tuple[Any, Tally]]:
    """Return the rows with most games, and of as many those with fewest points first."""
    return sorted(tallies.items(), key=lambda row: (-row[1].games, row[1].points))[:ROWS]


def _ending(word: str) -> str:
    """Return the title of a termination; that of a game that is gone keeps its own name."""
    if by_rules := registry.endings().get(word):
        return _(by_rules.title)
    return str(MEANINGS[word].title) if word in MEANINGS else word
