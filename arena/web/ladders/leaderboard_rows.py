"""Leaderboards for templates: current ones and those archived at the end of a season."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from arena.domain.ladders import leaderboards
from arena.models import Entrant, Ladder, Season, SeasonStanding
from arena.web import read_models
from arena.web.ratings import intervals
from arena.web.ratings.intervals import Interval, Scale


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One line of a leaderboard: an entrant of now, or a line archived at the end of a season."""

    rank: int | None
    standing: Entrant | SeasonStanding
    form: Sequence[str] = ()

    @property
    def interval(self) -> Interval | None:
        """The rating and its 95 % interval, None until the first fit."""
        row = self.standing
        if row.rating is None or row.rating_low is None or row.rating_high is None:
            return None
        return Interval(row.rating, row.rating_low, row.rating_high)

    @property
    def is_provisional(self) -> bool:
        """Whether the interval is wide and the version has met few different bots."""
        return leaderboards.is_provisional(row=self.standing)

    @property
    def is_paused(self) -> bool:
        """Whether the bot is not matched now."""
        if isinstance(self.standing, SeasonStanding):
            return False
        return self.standing.bot.is_paused or self.standing.version.paused_at is not None


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
        """The rows, each with its plot, which is empty without a scale."""
        if self.scale is None:
            return [(row, SafeString("")) for row in self.rows]
        return [
            (row, intervals.plot(self.scale, row.interval) if row.interval else SafeString(""))
            for row in self.rows
        ]


def board(*, ladder: Ladder, limit: int, offset: int = 0) -> LeaderboardTable:
    """Return lines of the current leaderboard with intervals and form."""
    rows = _rows(ladder, limit=limit, offset=offset)
    form = read_models.form_of(ladder=ladder, versions=[row.standing.version_id for row in rows])
    return _scaled(
        ladder, [replace(row, form=form.get(row.standing.version_id, [])) for row in rows]
    )


def tops(*, limit: int) -> list[LeaderboardTable]:
    """Return the top lines of every ladder."""
    return [
        LeaderboardTable(ladder, _rows(ladder, limit=limit))
        for ladder in Ladder.objects.order_by("slug")
    ]


def archive(*, season: Season, limit: int, offset: int = 0) -> LeaderboardTable:
    """Return lines of the leaderboard at the end of a season."""
    kept = season.standings.select_related("bot__owner", "version__bot__owner")
    page = kept.order_by("rank", "pk")[offset : offset + limit]
    rows = [LeaderboardRow(row.rank, row) for row in page]
    return _scaled(season.ladder, rows)


def _rows(ladder: Ladder, *, limit: int, offset: int = 0) -> list[LeaderboardRow]:
    found = leaderboards.leaderboard(ladder=ladder, limit=limit, offset=offset)
    return [LeaderboardRow(entry.rank, entry.entrant) for entry in found]


def _scaled(ladder: Ladder, rows: Sequence[LeaderboardRow]) -> LeaderboardTable:
    known = [row.interval for row in rows if row.interval]
    if not known:
        return LeaderboardTable(ladder, rows)
    settled = [row.interval for row in rows if row.interval and not row.is_provisional]
    if 2 * len(settled) < len(known):  # a young ladder has mostly newcomers, so show them too
        settled = known
    scale = intervals.scale_of([interval.rating for interval in known], settled)
    return LeaderboardTable(ladder, rows, scale)
