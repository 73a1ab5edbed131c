"""Leaderboards for templates: current ones and those archived at the end of a season."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from arena.domain.ladders import leaderboards
from arena.domain.ladders.leaderboards import LeaderboardEntry
from arena.domain.ratings import elo
from arena.models import Bot, Entrant, Ladder, Season, SeasonStanding, Version
from arena.web import read_models
from arena.web.ratings import intervals
from arena.web.ratings.intervals import Interval, Scale


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One line of a leaderboard. `band` is None until a fit says which entrants are tied."""

    rank: int
    bot: Bot
    version: Version
    rating: float
    interval: Interval | None
    band: int | None
    games: int
    wins: int
    draws: int
    losses: int
    form: Sequence[str] = ()
    is_paused: bool = False

    @property
    def provisional(self) -> bool:
        """Whether the version has played too few games for a reliable rating."""
        return self.games < elo.PROVISIONAL_GAMES


@dataclass(frozen=True, slots=True)
class LeaderboardTable:
    """Lines of a leaderboard, with the scale on which their intervals are drawn."""

    ladder: Ladder
    rows: Sequence[LeaderboardRow]
    scale: Scale | None = None

    def cut(self, count: int) -> "LeaderboardTable":
        """Return only the first lines, on the same scale."""
        return replace(self, rows=self.rows[:count])

    @property
    def axis(self) -> SafeString:
        """The numbers of the scale; empty if there is no scale."""
        return intervals.axis(self.scale) if self.scale else SafeString("")

    @property
    def lines(self) -> list[tuple[LeaderboardRow, SafeString]]:
        """The rows, each with its plot."""
        nothing = SafeString("")
        return [
            (row, intervals.plot(self.scale, row.rating, row.interval) if self.scale else nothing)
            for row in self.rows
        ]


def board(*, ladder: Ladder, limit: int, offset: int = 0) -> LeaderboardTable:
    """Return lines of the current leaderboard with intervals and form."""
    standings = leaderboards.leaderboard(ladder=ladder, limit=limit, offset=offset)
    form = read_models.form_of(
        ladder=ladder, versions=[standing.entrant.version_id for standing in standings]
    )
    return _scaled(
        ladder,
        [_row(standing, form.get(standing.entrant.version_id, [])) for standing in standings],
    )


def tops(*, limit: int) -> list[LeaderboardTable]:
    """Return the top lines of every ladder."""
    return [
        LeaderboardTable(
            ladder,
            [
                _row(standing, ())
                for standing in leaderboards.leaderboard(ladder=ladder, limit=limit)
            ],
        )
        for ladder in Ladder.objects.order_by("slug")
    ]


def archive(*, season: Season, limit: int, offset: int = 0) -> LeaderboardTable:
    """Return lines of the leaderboard at the end of a season."""
    kept = season.standings.select_related("bot__owner", "version").order_by("rank", "pk")
    return _scaled(season.ladder, [_kept(row) for row in kept[offset : offset + limit]])


def _scaled(ladder: Ladder, rows: Sequence[LeaderboardRow]) -> LeaderboardTable:
    if not rows:
        return LeaderboardTable(ladder, rows)
    known = [row.interval for row in rows if row.interval]
    settled = [row.interval for row in rows if row.interval and not row.provisional]
    if 2 * len(settled) < len(known):  # a young ladder has mostly newcomers, so show them too
        settled = known
    return LeaderboardTable(ladder, rows, intervals.scale_of([row.rating for row in rows], settled))


def _row(standing: LeaderboardEntry, form: Sequence[str]) -> LeaderboardRow:
    entrant = standing.entrant
    entrant.version.bot = entrant.bot  # the URL of a version needs its bot; avoid another query
    return LeaderboardRow(
        rank=standing.rank,
        bot=entrant.bot,
        version=entrant.version,
        rating=entrant.rating,
        interval=_interval(entrant),
        band=entrant.tie_band,
        games=entrant.games,
        wins=entrant.wins,
        draws=entrant.draws,
        losses=entrant.losses,
        form=form,
        is_paused=entrant.bot.is_paused or entrant.version.paused_at is not None,
    )


def _kept(standing: SeasonStanding) -> LeaderboardRow:
    standing.version.bot = standing.bot
    return LeaderboardRow(
        rank=standing.rank,
        bot=standing.bot,
        version=standing.version,
        rating=standing.rating,
        interval=_interval(standing),
        band=standing.tie_band,
        games=standing.games,
        wins=standing.wins,
        draws=standing.draws,
        losses=standing.losses,
    )


def _interval(row: Entrant | SeasonStanding) -> Interval | None:
    if row.estimate is None or row.estimate_low is None or row.estimate_high is None:
        return None
    return Interval(row.estimate, row.estimate_low, row.estimate_high)
