"""Breadcrumbs: the path from the top of the site to a page, as pairs of address and name."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from arena.models import Bot, Ladder, Match, Season, Version
from engine.variant import Variant

Trail = list[tuple[str, str]]


def bot_trail(bot: Bot) -> Trail:
    """Return the path to the pages of a bot."""
    return [
        (reverse("bot-list"), _("Bots")),
        (bot.owner.get_absolute_url(), bot.owner.username),
        (bot.get_absolute_url(), bot.name),
    ]


def version_trail(version: Version) -> Trail:
    """Return the path to a version's page."""
    here = _("Version %(number)s") % {"number": version.number}
    return [*bot_trail(version.bot), (version.get_absolute_url(), here)]


def ladder_trail(ladder: Ladder, season: Season) -> Trail:
    """Return the path to a finished season."""
    here = reverse("season", args=[ladder.slug, season.number])
    return [
        (reverse("ladder-list"), _("Ladders")),
        (ladder.get_absolute_url(), ladder.name),
        (here, _("Season %(number)s") % {"number": season.number}),
    ]


def records_trail(ladder: Ladder) -> Trail:
    """Return the path to the records of a ladder."""
    return [
        (reverse("ladder-list"), _("Ladders")),
        (ladder.get_absolute_url(), ladder.name),
        (reverse("ladder-records", args=[ladder.slug]), _("Records")),
    ]


def match_trail(match: Match) -> Trail:
    """Return the path to a match and its games."""
    return [
        (reverse("match-list"), _("Matches")),
        (match.ladder.get_absolute_url(), match.ladder.name),
        (match.get_absolute_url(), match.public_id),
    ]


def variant_trail(variant: Variant[Any]) -> Trail:
    """Return the path to the pages of a variant."""
    return [
        (reverse("variant-list"), pgettext("kinds", "Games")),
        (reverse("variant", args=[variant.slug]), variant.title),
    ]
