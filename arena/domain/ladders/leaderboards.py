"""Leaderboards, and the results of a version on its ladders."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Max, Min, Q, QuerySet, Sum

from arena.models import Bot, Entrant, Ladder, RatingEvent, SeasonStanding, Version

WIDE = 150.0  # half of a 95 % interval, in Elo
ENOUGH_OPPONENTS = 4


@dataclass(frozen=True, slots=True)
class LeaderboardEntry:
    """One line of a leaderboard. Counts are games, not matches.

    Equal ratings share a rank. An entrant that is not ranked has none: without a rating, or without
    a match for long.
    """

    rank: int | None
    entrant: Entrant
    provisional: bool

    @property
    def bot(self) -> Bot:
        """The bot, with its owner loaded."""
        return self.entrant.bot


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """The results of a version on a ladder, without annulled matches.

    `first` is the Elo number of its bot before its first match, and `last` that after its latest
    match. `lowest` and `highest` are the extremes after its matches.
    """

    ladder: Ladder
    matches: int
    wins: int
    draws: int
    losses: int
    first: float
    last: float
    lowest: float
    highest: float

    @property
    def games(self) -> int:
        """The number of its rated games."""
        return self.wins + self.draws + self.losses


def leaderboard(*, ladder: Ladder, limit: int = 100, offset: int = 0) -> list[LeaderboardEntry]:
    """Return the active entrants of a ladder, best first."""
    active = ladder.entrants.filter(active=True)
    rows = active.select_related("bot__owner", "version__bot__owner").best_first()
    page = list(rows[offset : offset + limit])
    standings: list[LeaderboardEntry] = []
    for place, entrant in enumerate(page, start=offset + 1):
        if not entrant.is_ranked:
            rank = None
        elif standings and standings[-1].entrant.rating == entrant.rating:
            rank = standings[-1].rank
        elif not standings and offset:
            rank = _rank(entrant)
        else:
            rank = place
        standings.append(LeaderboardEntry(rank, entrant, is_provisional(row=entrant)))
    return standings


def is_provisional(*, row: Entrant | SeasonStanding) -> bool:
    """Return whether the interval of a version is wide and it has met few different bots."""
    if row.rating_low is None or row.rating_high is None:
        return True
    return (row.rating_high - row.rating_low) / 2 > WIDE and row.opponents < ENOUGH_OPPONENTS


def standings_of(*, bot: Bot) -> list[LeaderboardEntry]:
    """Return the bot's line on each of its ladders."""
    entries = bot.entries.filter(active=True).select_related("ladder", "bot__owner", "version")
    return [
        LeaderboardEntry(_rank(entrant), entrant, is_provisional(row=entrant))
        for entrant in entries.order_by("ladder__slug")
    ]


def versions_record(*, version: Version) -> list[VersionRecord]:
    """Return the results of the version on each ladder with a rated game of it, by slug."""
    events = RatingEvent.objects.filter(version=version, match__annulment=None)
    counted = events.values("ladder").order_by("ladder__slug")
    rows = counted.annotate(
        matches=Count("pk"),
        wins=Sum("wins"),
        draws=Sum("draws"),
        losses=Sum("losses"),
        lowest=Min("after"),
        highest=Max("after"),
        begins=Min("finish_number"),
        ends=Max("finish_number"),
    )
    return [_record(events, dict(row)) for row in rows]


def _record(events: QuerySet[RatingEvent], row: dict[str, Any]) -> VersionRecord:
    ends = Q(ladder=row.pop("ladder"), finish_number__in=(row.pop("begins"), row.pop("ends")))
    both = list(events.filter(ends).select_related("ladder").order_by("finish_number"))
    return VersionRecord(both[0].ladder, first=both[0].before, last=both[-1].after, **row)


def _rank(entrant: Entrant) -> int | None:
    if entrant.rating is None or not entrant.is_ranked:
        return None
    active = Entrant.objects.ranked().filter(ladder=entrant.ladder_id, active=True)
    return active.filter(rating__gt=entrant.rating).count() + 1
