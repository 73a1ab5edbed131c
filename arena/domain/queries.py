"""What pages and the API read; rows come with what their templates touch."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from arena.domain import leaderboards
from arena.domain.leaderboards import Standing
from arena.models import (
    Bot,
    GameStatus,
    Ladder,
    Match,
    MatchStatus,
    RatingEvent,
    Version,
)


@dataclass(frozen=True, slots=True)
class BotSummary:
    """What a bot's page shows; `matches` holds the newest first."""

    bot: Bot
    standings: Sequence[Standing]
    versions: Sequence[Version]
    matches: Sequence[Match]


def bot_summary(*, bot: Bot, matches_shown: int = 20) -> BotSummary:
    """Gather what a bot's page shows."""
    return BotSummary(
        bot=bot,
        standings=leaderboards.standings_of(bot=bot),
        versions=list(bot.versions.order_by("-number")),
        matches=list(recent_matches(bot=bot)[:matches_shown]),
    )


def all_matches() -> QuerySet[Match]:
    """Give every match, newest first, with ladder, entrants, bots, owners and games loaded."""
    return (
        Match.objects.select_related("ladder")
        .prefetch_related("entrants__version__bot__owner", "games")
        .order_by("-created_at", "-pk")
    )


def recent_matches(*, ladder: Ladder | None = None, bot: Bot | None = None) -> QuerySet[Match]:
    """Give the matches of a ladder, of a bot, or all; newest first. Cancelled ones stay out."""
    rows = all_matches().exclude(status=MatchStatus.CANCELLED)
    if ladder is not None:
        rows = rows.filter(ladder=ladder)
    if bot is not None:
        rows = rows.filter(entrants__version__in=bot.versions.all())
    return rows


def featured_match() -> Match | None:
    """Give the match for the home page: the newest one with a game to show that was not forfeited.

    One that still runs but has a finished game comes first, then the latest finished one.
    """
    shown = Q(games__status=GameStatus.FINISHED)
    running = all_matches().filter(shown, status=MatchStatus.RUNNING).distinct()
    done = all_matches().filter(status=MatchStatus.FINISHED).order_by("-finished_at")
    clean = done.exclude(~Q(games__fault=""))
    return running.first() or clean.first() or done.first()


def rating_events(*, bot: Bot, ladder: Ladder) -> QuerySet[RatingEvent]:
    """Give the bot's events on a ladder, oldest first, versions and matches loaded."""
    return (
        RatingEvent.objects.filter(ladder=ladder, version__in=bot.versions.all())
        .select_related("match", "version")
        .order_by("finish_number")
    )
