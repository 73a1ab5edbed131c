"""Standings as pages show them: all numbers, and the criterion that ranked each line."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from arena.domain.accounts import permissions
from arena.domain.formats.types import CHANCE, Decision, Score, StandingsRow
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import TournamentEntrant, TournamentEntrantStatus, Viewer
from arena.web.tournaments import figures, format_words, round_names
from arena.web.tournaments.format_words import Word

NOT_ASKED = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class StandingsLine:
    """A line of the standings.

    `came_to` is empty in formats without stages. `played` are the games without byes and awarded
    results. `per_game` is the points per game. `tie_breaks` are values, each with whether it ranked
    the line above the next; `decided` names that criterion, and is empty in the last line.
    """

    row: StandingsRow
    entrant: TournamentEntrant
    came_to: str
    played: Score
    per_game: float
    tie_breaks: Sequence[tuple[str, bool]]
    decided: str
    mark: str

    @property
    def is_out(self) -> bool:
        """Whether the entrant left or was removed."""
        return self.entrant.until_round is not None

    @property
    def unplayed(self) -> int:
        """The number of its games that were not played."""
        return self.row.games - self.played.games


@dataclass(frozen=True, slots=True)
class Standings:
    """The lines, best first, and the tie-breaks that have their own column.

    `has_started` is False while no game counts: the order is then that of the seeds. `has_stages`
    says that lines have `came_to`, and `per_game` that the ranking uses points per game.
    """

    lines: Sequence[StandingsLine]
    columns: Sequence[Word]
    has_started: bool
    has_stages: bool
    per_game: bool

    def top(self, count: int, *, viewer: Viewer) -> list[StandingsLine]:
        """Return the first lines, followed by those of the viewer's own bots."""
        return [
            line
            for place, line in enumerate(self.lines)
            if place < count or permissions.may_edit_bot(viewer, line.entrant.bot)
        ]


def of(picture: TournamentSnapshot) -> Standings:
    """Return the standings of all entrants."""
    return _standings(picture, picture.standings, is_whole=True)


def of_groups(picture: TournamentSnapshot) -> list[tuple[int, Standings]]:
    """Return the standings of every group by its number; empty if there are no groups."""
    tables = picture.format.group_tables(picture.state) if picture.rounds else {}
    return [
        (number, _standings(picture, rows, is_whole=False))
        for number, rows in sorted(tables.items())
    ]


def qualified(picture: TournamentSnapshot) -> set[int]:
    """Return the entrants that advanced beyond the groups."""
    return {row.entrant for row in picture.standings if row.stage > 0}


def _standings(
    picture: TournamentSnapshot, rows: Sequence[StandingsRow], *, is_whole: bool
) -> Standings:
    """Return the standings of some rows; those of a group leave out later stages."""
    slugs = [slug for slug in picture.setup.tie_breaks if slug != CHANCE]
    per_game = is_whole and picture.format.compares_per_game
    came_to = round_names.reached(picture) if is_whole else {}
    # The played games of each entrant.
    played: dict[int, Score] = {}
    for meeting in picture.state.meetings:
        if meeting.decision != Decision.PLAYED or not meeting.scores:
            continue
        for entrant, score in zip(meeting.entrants, meeting.scores, strict=True):
            had = played.get(entrant, Score())
            played[entrant] = Score(
                had.wins + score.wins, had.draws + score.draws, had.losses + score.losses
            )
    # The entrants that only tie-breaks separate from others.
    level: dict[tuple[int, float], list[int]] = {}
    for row in rows:
        points = _per_game(row) if per_game else row.points
        level.setdefault((row.stage, points), []).append(row.entrant)
    tied = {entrant for those in level.values() if len(those) > 1 for entrant in those}
    return Standings(
        lines=[
            StandingsLine(
                row=row,
                entrant=picture.entrants[row.entrant],
                came_to=came_to.get(row.entrant, ""),
                played=played.get(row.entrant, Score()),
                per_game=_per_game(row),
                tie_breaks=[
                    (
                        _tie_break(slug, value, is_tied=row.entrant in tied, per_game=per_game),
                        slug == row.decided_by,
                    )
                    for slug, value in zip(slugs, row.tie_breaks, strict=True)
                ],
                decided=format_words.decider(row.decided_by),
                mark=mark(picture.entrants[row.entrant], rounds=len(picture.rounds)),
            )
            for row in rows
        ],
        columns=[format_words.tie_break_word(slug) for slug in slugs],
        has_started=any(row.games for row in rows),
        has_stages=bool(came_to),
        per_game=per_game,
    )


def _per_game(row: StandingsRow) -> float:
    return row.points / row.games if row.games else 0.0


def _tie_break(slug: str, value: float, *, is_tied: bool, per_game: bool) -> str:
    """Return a tie-break as text; direct encounter has a value only for entrants that are tied."""
    if slug == "direct_encounter":
        return figures.measure(value) if is_tied else NOT_ASKED
    return figures.average(value) if per_game else figures.measure(value)


def mark(entrant: TournamentEntrant, *, rounds: int) -> str:
    """Return since when an entrant that left is out; empty for others.

    `rounds` is the number of shown rounds: do not mention a later one.
    """
    if entrant.status == TournamentEntrantStatus.DISQUALIFIED:
        return gettext("disqualified")
    if entrant.status != TournamentEntrantStatus.WITHDRAWN:
        return ""
    if not entrant.until_round or entrant.until_round > rounds:
        return gettext("withdrawn")
    return gettext("withdrawn after round %(number)d") % {"number": entrant.until_round}
