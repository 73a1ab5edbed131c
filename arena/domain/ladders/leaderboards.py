"""Leaderboards, and the results of a version on its ladders."""

from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import (
    Count,
    Exists,
    F,
    Max,
    Min,
    Q,
    QuerySet,
    Sum,
    Value,
    Window,
    prefetch_related_objects,
)
from django.db.models.functions import Mod, RowNumber

from arena.models import (
    Bot,
    Entrant,
    EntrantQuerySet,
    Ladder,
    Match,
    RatingEvent,
    SeasonStanding,
    User,
    Version,
    keyset,
)
from arena.models.keyset import BadMark, Turn

BEST = ("-rating", "bot_id")
ORDERS = (BEST, BEST, ("bot_id",))  # of the ranked, of the others with a rating, of the unrated
ARCHIVED = ("rank", "id")
FROM_THE_TOP = Turn()
MILESTONE = 500  # places
CHANGES_SHOWN = 5
CHANGES_SEARCHED = 200  # the latest matches of a version: there may be very many
MILESTONES_KEPT_S = 60


@dataclass(frozen=True, slots=True)
class LeaderboardEntry:
    """One line of a leaderboard. Counts are games, not matches.

    Equal ratings share a rank. An entrant that is not ranked has none: with few games, or without a
    match for long.
    """

    rank: int | None
    entrant: Entrant
    provisional: bool

    @property
    def mark(self) -> list[keyset.Value]:
        """Where it stands: the part of the leaderboard, and the columns that order this part."""
        row = self.entrant
        part = 0 if row.is_ranked else 1 if row.rating is not None else 2
        return [part, *keyset.mark_of(row, ORDERS[part])]

    @property
    def rank_range(self) -> tuple[int, int] | None:
        """The best and the worst rank that the games allow, or None without a rank.

        The latest fit found them. Others may have lost their ranks since, which moves its rank up.
        """
        best, worst = self.entrant.best_rank, self.entrant.worst_rank
        if self.rank is None or best is None or worst is None:
            return None
        return min(best, self.rank), max(worst, self.rank)

    @property
    def bot(self) -> Bot:
        """The bot, with its owner loaded."""
        return self.entrant.bot


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """The results of a version on a ladder, without annulled matches.

    `first` is its rating before its first match, and `last` that after its latest match. `lowest`
    and `highest` are the extremes after its matches. None: no fit has them yet.
    """

    ladder: Ladder
    matches: int
    wins: int
    draws: int
    losses: int
    lowest: float | None
    highest: float | None
    first: float | None
    last: float | None

    @property
    def games(self) -> int:
        """The number of its rated games."""
        return self.wins + self.draws + self.losses


def leaderboard(
    *, ladder: Ladder, limit: int = 100, offset: int = 0, turn: Turn = FROM_THE_TOP
) -> list[LeaderboardEntry]:
    """Return the active entrants of a ladder, best first: those at `turn`, or after so many.

    The marks of turns are those of entries. Raise BadMark.
    """
    rows = ladder.entrants.filter(active=True) if offset else _nearest(ladder, limit, turn)
    rows = rows.select_related("bot__owner", "version__bot__owner").best_first()
    page = list((rows.reverse() if turn.back else rows)[offset : offset + limit])
    if turn.back:
        page.reverse()
    first = 0 if offset or not turn.mark or not page else _equals_before(page[0])
    standings: list[LeaderboardEntry] = []
    for place, entrant in enumerate(page, start=offset + 1):
        if not entrant.is_ranked:
            rank = None
        elif standings and standings[-1].entrant.rating == entrant.rating:
            rank = standings[-1].rank
        elif not standings and (offset or turn.mark):
            rank = _rank(entrant)
            first += rank - place if rank and not offset else 0
        else:
            rank = place + first
        standings.append(LeaderboardEntry(rank, entrant, is_provisional(row=entrant)))
    return standings


def _nearest(ladder: Ladder, limit: int, turn: Turn) -> EntrantQuerySet:
    """Return at least the next entrants from a turn on. Raise BadMark.

    Those of a part of the leaderboard are only looked up if the part before has too few.
    """
    active = ladder.entrants.filter(active=True)
    parts = [active.ranked(), active.unranked(), active.filter(rating=None)]
    begins = turn.mark[0] if turn.mark else (len(parts) - 1 if turn.back else 0)
    if not isinstance(begins, int) or begins not in range(len(parts)):
        raise BadMark
    nearest: list[EntrantQuerySet] = []
    for number in range(begins, -1, -1) if turn.back else range(begins, len(parts)):
        here = Turn(turn.mark[1:] if number == begins else (), turn.back)
        rows = keyset.ordered(parts[number], ORDERS[number], here)
        nearest.append(rows.filter(*(~Exists(other[limit - 1 : limit]) for other in nearest)))
    pks = [
        Entrant.objects.filter(pk__in=rows.values("pk")[:limit]).order_by().values("pk")
        for rows in nearest
    ]
    return Entrant.objects.filter(pk__in=pks[0].union(*pks[1:], all=True) if pks[1:] else pks[0])


def is_provisional(*, row: Entrant | SeasonStanding) -> bool:
    """Return whether a version has too few rated games for a rank."""
    return row.best_rank is None and (isinstance(row, SeasonStanding) or not row.is_absent)


def standings_of(*, bot: Bot) -> list[LeaderboardEntry]:
    """Return the bot's line on each of its ladders."""
    entries = bot.entries.filter(active=True).select_related("ladder", "bot__owner", "version")
    return [_entry(entrant) for entrant in entries.order_by("ladder__slug")]


def of_owner(*, ladder: Ladder, owner: User, limit: int) -> list[LeaderboardEntry]:
    """Return the lines of the best bots of an owner on a ladder."""
    own = ladder.entrants.filter(active=True, bot__owner=owner)
    rows = own.select_related("bot__owner", "version__bot__owner").best_first()
    return [_entry(entrant) for entrant in rows[:limit]]


def versions_record(*, version: Version) -> list[VersionRecord]:
    """Return the results of the version on each ladder with a rated game of it, by slug."""
    annulled = Match.objects.filter(annulment__isnull=False)  # few: not looked up for each event
    events = RatingEvent.objects.filter(version=version).exclude(match__in=annulled)
    counted = events.values("ladder").order_by("ladder__slug")
    rows = counted.annotate(
        matches=Count("pk"),
        wins=Sum("wins"),
        draws=Sum("draws"),
        losses=Sum("losses"),
        lowest=Min("after"),
        highest=Max("after"),
        begins=Min("pk"),
        ends=Max("pk"),
    )
    return [_record(events, dict(row)) for row in rows]


def biggest_changes(*, entrant: Entrant) -> list[RatingEvent]:
    """Return the latest results that moved the rating of the active version most, most first."""
    rated = RatingEvent.objects.filter(
        ladder=entrant.ladder_id,
        version=entrant.version_id,
        match__annulment=None,
        finish_number__isnull=False,
    )
    latest = rated.order_by("-finish_number")[:CHANGES_SEARCHED]
    moved = [event for event in latest if event.change is not None]
    biggest = sorted(moved, key=lambda event: -abs(event.change or 0.0))[:CHANGES_SHOWN]
    prefetch_related_objects(biggest, "match__entrants__version__bot")
    return biggest


def _entry(entrant: Entrant) -> LeaderboardEntry:
    """Return the line of an entrant, whose rank is looked up."""
    return LeaderboardEntry(_rank(entrant), entrant, is_provisional(row=entrant))


def _record(events: QuerySet[RatingEvent], row: dict[str, Any]) -> VersionRecord:
    ends = Q(ladder=row.pop("ladder"), pk__in=(row.pop("begins"), row.pop("ends")))
    both = list(events.filter(ends).select_related("ladder").order_by("pk"))
    return VersionRecord(both[0].ladder, first=both[0].before, last=both[-1].after, **row)


def _rank(entrant: Entrant) -> int | None:
    """Return the rank: one more than there are higher ratings.

    Far down, those up to the last milestone are counted once a minute.
    """
    if entrant.rating is None or not entrant.is_ranked:
        return None
    ranked = Entrant.objects.ranked().filter(ladder=entrant.ladder_id, active=True).order_by()
    higher = ranked.filter(rating__gt=entrant.rating)
    count = higher[:MILESTONE].count()
    if count == MILESTONE:
        passed = [mark for mark in _milestones(entrant.ladder_id) if mark[0] > entrant.rating]
        rest = higher.filter(keyset.beyond(BEST, Turn(passed[-1]))) if passed else higher
        count = MILESTONE * len(passed) + rest.count()
    return count + 1


def _milestones(ladder_pk: int) -> list[tuple[float, int]]:
    """Return the marks of the ranked entrants at every so many places, as of a minute ago."""
    key = f"leaderboard.milestones.{ladder_pk}"
    known: list[tuple[float, int]] | None = cache.get(key)
    if known is None:
        ranked = Entrant.objects.ranked().filter(ladder=ladder_pk, active=True)
        place = Window(RowNumber(), order_by=[F("rating").desc(), F("bot").asc()])
        rows = ranked.annotate(rest=Mod(place, Value(MILESTONE))).filter(rest=0)
        marks = rows.order_by("-rating", "bot_id").values_list("rating", "bot")
        known = [(rating, bot) for rating, bot in marks if rating is not None]
        cache.set(key, known, MILESTONES_KEPT_S)
    return known


def _equals_before(entrant: Entrant) -> int:
    """Count the ranked entrants with the same rating and a lower place."""
    same = Entrant.objects.ranked().filter(
        ladder=entrant.ladder_id, active=True, rating=entrant.rating, bot__lt=entrant.bot_id
    )
    return same.count() if entrant.is_ranked else 0
