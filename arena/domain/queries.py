"""What pages and the API read; rows come with what their templates touch."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Avg, Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.domain import elo, matches, versions
from arena.models import (
    Bot,
    Entrant,
    GameStatus,
    Ladder,
    Match,
    MatchStatus,
    RatingEvent,
    Version,
    VersionStatus,
)

DEFAULT_MATCH_S = 20.0  # the estimate before any match has been played
ESTIMATE_FROM = 50  # recent matches


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of a leaderboard. Equal numbers share a rank. Counts are games, not matches."""

    rank: int
    entrant: Entrant
    provisional: bool

    @property
    def bot(self) -> Bot:
        """The competitor, with its owner loaded."""
        return self.entrant.bot


@dataclass(frozen=True, slots=True)
class BotSummary:
    """What a bot's page shows; `matches` holds the newest first."""

    bot: Bot
    standings: Sequence[Standing]
    versions: Sequence[Version]
    matches: Sequence[Match]


@dataclass(frozen=True, slots=True)
class Waiting:
    """One row of the queue; `estimate_s` is when it should begin, None where that is not known."""

    position: int
    kind: str  # "match" or "version"
    row: Match | Version
    reason: str
    since: datetime | None
    estimate_s: float | None


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a ladder stands; `least_games` is the smallest count among its active entrants."""

    ladder: Ladder
    entrants: int
    least_games: int
    finished: int
    waiting: int
    running: int
    failed: int


def leaderboard(*, ladder: Ladder, limit: int = 100, offset: int = 0) -> list[Standing]:
    """Give the active entrants of a ladder, best first."""
    active = ladder.entrants.filter(active=True)
    rows = active.select_related("bot__owner", "version__bot__owner").order_by("-rating", "pk")
    page = list(rows[offset : offset + limit])
    standings: list[Standing] = []
    for place, entrant in enumerate(page, start=offset + 1):
        if standings and standings[-1].entrant.rating == entrant.rating:
            rank = standings[-1].rank
        elif not standings and offset:
            rank = active.filter(rating__gt=entrant.rating).count() + 1
        else:
            rank = place
        standings.append(Standing(rank, entrant, is_provisional(entrant=entrant)))
    return standings


def is_provisional(*, entrant: Entrant) -> bool:
    """Say whether the entrant's version has too few games for its number to mean much."""
    return entrant.games < elo.PROVISIONAL_GAMES


def standings_of(*, bot: Bot) -> list[Standing]:
    """Give the bot's line on every ladder it is on."""
    entries = bot.entries.filter(active=True).select_related("ladder", "bot__owner", "version")
    return [
        Standing(
            Entrant.objects.filter(
                ladder=entrant.ladder_id, active=True, rating__gt=entrant.rating
            ).count()
            + 1,
            entrant,
            is_provisional(entrant=entrant),
        )
        for entrant in entries.order_by("ladder__slug")
    ]


def bot_summary(*, bot: Bot, matches_shown: int = 20) -> BotSummary:
    """Gather what a bot's page shows."""
    return BotSummary(
        bot=bot,
        standings=standings_of(bot=bot),
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


def queue() -> list[Waiting]:
    """Give all that waits for a runner or is held by one, in the order in which it came."""
    rows: list[Match | Version] = [
        *all_matches().filter(status__in=(*matches.WAITING, *matches.IN_WORK)),
        *Version.objects.filter(status__in=(*versions.WAITING, *versions.IN_WORK)).select_related(
            "bot__owner"
        ),
    ]
    rows.sort(key=lambda row: (row.queued_at or timezone.now(), row.pk))
    each_s = _match_s()
    return [
        Waiting(
            position=position,
            kind="match" if isinstance(row, Match) else "version",
            row=row,
            reason=_why(row),
            since=row.queued_at,
            estimate_s=None if row.not_before else each_s * (position - 1),
        )
        for position, row in enumerate(rows, start=1)
    ]


def progress() -> list[Progress]:
    """Count what every open ladder has done and still has before it."""
    return [_progress(ladder) for ladder in Ladder.objects.filter(is_open=True)]


def _progress(ladder: Ladder) -> Progress:
    games = list(ladder.entrants.filter(active=True).values_list("games", flat=True))
    counted = dict(ladder.matches.order_by().values_list("status").annotate(rows=Count("pk")))
    return Progress(
        ladder=ladder,
        entrants=len(games),
        least_games=min(games, default=0),
        finished=counted.get(MatchStatus.FINISHED, 0),
        waiting=sum(counted.get(status, 0) for status in matches.WAITING),
        running=sum(counted.get(status, 0) for status in matches.IN_WORK),
        failed=counted.get(MatchStatus.FAILED, 0),
    )


def _why(row: Match | Version) -> str:
    if row.status in (*matches.IN_WORK, *versions.IN_WORK):
        return _("A runner is at work on it.")
    if row.waiting_reason:
        return row.waiting_reason
    if row.status == VersionStatus.UPLOADED:
        return _("Waiting for a runner to check it.")
    return _("Waiting for a runner to play it.")


def _match_s() -> float:
    recent = (
        Match.objects.filter(status=MatchStatus.FINISHED, started_at__isnull=False)
        .order_by("-finished_at")
        .values_list("pk", flat=True)[:ESTIMATE_FROM]
    )
    mean = Match.objects.filter(pk__in=list(recent)).aggregate(
        mean=Avg(F("finished_at") - F("started_at"))
    )["mean"]
    return mean.total_seconds() if mean else DEFAULT_MATCH_S
