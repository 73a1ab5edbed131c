"""Standings as a page shows them: every number, and what put each line before the next."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from arena.domain.formats import groups
from arena.domain.formats.shapes import CHANCE, Row
from arena.domain.tournaments.pictures import Picture
from arena.models import TournamentEntrant, TournamentEntrantStatus
from arena.web import figures, formatwords
from arena.web.formatwords import Word

PLAIN = ("points", "")  # nothing has to be said of them


@dataclass(frozen=True, slots=True)
class TieCell:
    """The value of a tie-break, and whether it put the line before the next."""

    value: str
    decides: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the standings. `decided` is empty where points alone put it before the next."""

    row: Row
    entrant: TournamentEntrant
    tie_breaks: Sequence[TieCell]
    decided: str
    mark: str

    @property
    def is_out(self) -> bool:
        """Whether it has left, or was put out."""
        return self.entrant.until_round is not None


@dataclass(frozen=True, slots=True)
class Standings:
    """The lines, best first, and the tie-breaks that have a column of their own.

    `has_started` is False where no game counts yet: the order is then that of the seeds.
    """

    lines: Sequence[Line]
    columns: Sequence[Word]
    has_started: bool

    def top(self, count: int, *, owner: int | None) -> list[Line]:
        """Give the first lines, and after them those of one owner."""
        return [
            line
            for place, line in enumerate(self.lines)
            if place < count or line.entrant.bot.owner_id == owner
        ]


def of(picture: Picture) -> Standings:
    """Give the standings of all."""
    return _standings(picture, picture.standings)


def of_groups(picture: Picture) -> list[tuple[int, Standings]]:
    """Give the standings of every group by its number; none where there are no groups."""
    if picture.tournament.format != "groups_playoff" or not picture.rounds:
        return []
    tables = groups.group_tables(picture.state)
    return [(number, _standings(picture, rows)) for number, rows in sorted(tables.items())]


def _standings(picture: Picture, rows: Sequence[Row]) -> Standings:
    slugs = [slug for slug in picture.setup.tie_breaks if slug != CHANCE]
    return Standings(
        lines=[_line(picture, row, slugs) for row in rows],
        columns=[formatwords.tie_break_word(slug) for slug in slugs],
        has_started=any(row.games for row in rows),
    )


def mark(entrant: TournamentEntrant, *, rounds: int) -> str:
    """Say of an entrant that has left since when it is out; empty for others.

    `rounds` is how many are shown: of a later one nothing is said.
    """
    if entrant.status == TournamentEntrantStatus.DISQUALIFIED:
        return gettext("disqualified")
    if entrant.status != TournamentEntrantStatus.WITHDRAWN:
        return ""
    if not entrant.until_round or entrant.until_round > rounds:
        return gettext("withdrawn")
    return gettext("withdrawn after round %(number)d") % {"number": entrant.until_round}


def _line(picture: Picture, row: Row, slugs: Sequence[str]) -> Line:
    entrant = picture.entrants[row.entrant]
    cells = [
        TieCell(figures.measure(value), slug == row.decided_by)
        for slug, value in zip(slugs, row.tie_breaks, strict=True)
    ]
    decided = "" if row.decided_by in PLAIN else formatwords.decider(row.decided_by)
    return Line(row, entrant, cells, decided, mark(entrant, rounds=len(picture.rounds)))
