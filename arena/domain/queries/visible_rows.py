"""What pages and the API read; rows come with what their templates touch.

This is the only door to matches: it takes who looks, and what they may not see is not there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from arena.domain.ladders import leaderboards
from arena.domain.ladders.leaderboards import Standing
from arena.domain.tournaments import visibility
from arena.domain.tournaments.visibility import Viewer
from arena.models import (
    Bot,
    Game,
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


def bot_summary(*, bot: Bot, viewer: Viewer, matches_shown: int = 20) -> BotSummary:
    """Gather what a bot's page shows."""
    return BotSummary(
        bot=bot,
        standings=leaderboards.standings_of(bot=bot),
        versions=list(bot.versions.order_by("-number")),
        matches=list(recent_matches(viewer=viewer, bot=bot)[:matches_shown]),
    )


def all_matches(*, viewer: Viewer) -> QuerySet[Match]:
    """Return the matches that the viewer may see, newest first.

    Ladder, entrants, bots, owners and games are loaded.
    """
    rows = (
        Match.objects.select_related("ladder")
        .prefetch_related("entrants__version__bot__owner", "games")
        .order_by("-created_at", "-pk")
    )
    return visibility.visible(rows=rows, viewer=viewer)


def bare_matches(*, viewer: Viewer) -> QuerySet[Match]:
    """Return the same matches in no order, with nothing loaded."""
    return visibility.visible(rows=Match.objects.order_by(), viewer=viewer)


def games(*, viewer: Viewer) -> QuerySet[Game]:
    """Return the games of the matches that the viewer may see, with match and ladder loaded."""
    rows = Game.objects.select_related("match__ladder")
    return visibility.visible_games(rows=rows, viewer=viewer)


def recent_matches(
    *, viewer: Viewer, ladder: Ladder | None = None, bot: Bot | None = None
) -> QuerySet[Match]:
    """Return the matches of a ladder, of a bot, or all; newest first. Cancelled ones stay out."""
    rows = all_matches(viewer=viewer).exclude(status=MatchStatus.CANCELLED)
    if ladder is not None:
        rows = rows.filter(ladder=ladder)
    if bot is not None:
        rows = rows.filter(entrants__version__in=bot.versions.all())
    return rows


def featured_match() -> Match | None:
    """Return the match for the home page: the newest with a game that nobody forfeited.

    One that still runs but has a finished game comes first, then the latest finished one. It is one
    that everybody may see, whoever looks.
    """
    shown = Q(games__status=GameStatus.FINISHED)
    public = all_matches(viewer=visibility.ANYBODY)
    running = public.filter(shown, status=MatchStatus.RUNNING).distinct()
    done = public.filter(status=MatchStatus.FINISHED).order_by("-finished_at")
    clean = done.exclude(~Q(games__fault=""))
    return running.first() or clean.first() or done.first()


def rating_events(*, bot: Bot, ladder: Ladder) -> QuerySet[RatingEvent]:
    """Return the bot's events on a ladder, oldest first, versions and matches loaded."""
    return (
        RatingEvent.objects.filter(ladder=ladder, version__in=bot.versions.all())
        .select_related("match", "version")
        .order_by("finish_number")
    )
