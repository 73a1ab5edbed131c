"""Leaderboards for templates: current ones and those archived at the end of a season."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from arena.domain.ladders import leaderboards
from arena.domain.ladders.leaderboards import FROM_THE_TOP, LeaderboardEntry
from arena.domain.ratings import histories
from arena.models import Entrant, Ladder, Season, SeasonStanding, User, Viewer, keyset
from arena.models.keyset import Turn, Value
from arena.web.ratings import intervals
from arena.web.ratings.intervals import Interval, Scale

OWN_SHOWN = 10
CELLS = (
    *("rank", "best_rank", "worst_rank", "bot", "version", "rating", "rating_low", "rating_high"),
    *("provisional", "games", "won", "drawn", "lost"),
)


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One line of a leaderboard: an entrant of now, or a line archived at the end of a season.

    `rank_range` is the best and the worst rank that the games allow. `mark` is where it stands, for
    the pages that begin at it.
    """

    rank: int | None
    rank_range: tuple[int, int] | None
    standing: Entrant | SeasonStanding
    mark: Sequence[Value]
    form: Sequence[str] = ()

    @property
    def is_rank_open(self) -> bool:
        """Whether the games allow another rank, too."""
        return self.rank_range is not None and self.rank_range != (self.rank, self.rank)

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
        bot = self.standing.bot
        is_paused = bot.is_paused or self.standing.version.paused_at is not None
        return is_paused or bot.owner.is_banned


@dataclass(frozen=True, slots=True)
class LeaderboardTable:
    """Lines of a leaderboard, with the scale on which their intervals are drawn."""

    ladder: Ladder
    rows: Sequence[LeaderboardRow]
    scale: Scale | None = None

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


def board(
    *, ladder: Ladder, limit: int, offset: int = 0, turn: Turn = FROM_THE_TOP
) -> LeaderboardTable:
    """Return lines of the current leaderboard with intervals and form. Raise BadMark."""
    rows = _rows(ladder, limit=limit, offset=offset, turn=turn)
    form = histories.form_of(ladder=ladder, versions=[row.standing.version_id for row in rows])
    return _scaled(
        ladder, [replace(row, form=form.get(row.standing.version_id, [])) for row in rows]
    )


def own(*, ladder: Ladder, viewer: Viewer, but: LeaderboardTable) -> LeaderboardTable:
    """Return the lines of the viewer's bots that another table of the ladder does not show."""
    shown = {row.standing.bot_id for row in but.rows}
    entries = (
        leaderboards.of_owner(ladder=ladder, owner=viewer, limit=OWN_SHOWN)
        if isinstance(viewer, User)
        else []
    )
    return _scaled(ladder, [_row(entry) for entry in entries if entry.bot.pk not in shown])


def cells(*, ladder: Ladder, limit: int) -> Iterator[Sequence[object]]:
    """Yield the heading and the top lines of the current leaderboard, for a spreadsheet."""
    yield CELLS
    for entry in leaderboards.leaderboard(ladder=ladder, limit=limit):
        row = entry.entrant
        yield (
            *(entry.rank, *(entry.rank_range or (None, None)), str(entry.bot), row.version.number),
            *(row.rating, row.rating_low, row.rating_high, int(entry.provisional)),
            *(row.games, row.wins, row.draws, row.losses),
        )


def tops(*, limit: int) -> list[LeaderboardTable]:
    """Return the top lines of every ladder."""
    return [
        LeaderboardTable(ladder, _rows(ladder, limit=limit))
        for ladder in Ladder.objects.order_by("slug")
    ]


def archive(
    *, season: Season, limit: int, offset: int = 0, turn: Turn = FROM_THE_TOP
) -> LeaderboardTable:
    """Return lines of the leaderboard at the end of a season. Raise BadMark."""
    kept = season.standings.select_related("bot__owner", "version__bot__owner")
    page = list(keyset.ordered(kept, leaderboards.ARCHIVED, turn)[offset : offset + limit])
    rows = [
        LeaderboardRow(row.rank, row.rank_range, row, keyset.mark_of(row, leaderboards.ARCHIVED))
        for row in (page[::-1] if turn.back else page)
    ]
    return _scaled(season.ladder, rows)


def _rows(
    ladder: Ladder, *, limit: int, offset: int = 0, turn: Turn = FROM_THE_TOP
) -> list[LeaderboardRow]:
    entries = leaderboards.leaderboard(ladder=ladder, limit=limit, offset=offset, turn=turn)
    return [_row(entry) for entry in entries]


def _row(entry: LeaderboardEntry) -> LeaderboardRow:
    return LeaderboardRow(entry.rank, entry.rank_range, entry.entrant, entry.mark)


def _scaled(ladder: Ladder, rows: Sequence[LeaderboardRow]) -> LeaderboardTable:
    drawn = [row.interval for row in rows if row.interval]
    if not drawn:
        return LeaderboardTable(ladder, rows)
    settled = [row.interval for row in rows if row.interval and not row.is_provisional]
    if 2 * len(settled) < len(drawn):  # a young ladder has mostly newcomers, so show them too
        settled = drawn
    scale = intervals.scale_of([interval.rating for interval in drawn], settled)
    return LeaderboardTable(ladder, rows, scale)
