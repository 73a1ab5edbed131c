"""A cross table: the results of every entrant of a tournament against every other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.domain.formats import scoring
from arena.domain.formats.types import PairingState, Score, TournamentState
from arena.domain.tournaments.snapshot import TournamentSnapshot


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """The points of one entrant in the meetings with another entrant.

    `points` and `against` are the points of both in the meetings that have a result, None if none
    has one; `meetings` are in the order of rounds, open ones included.
    """

    meetings: tuple[PairingState, ...] = ()
    points: float | None = None
    against: float | None = None

    @property
    def result(self) -> str:
        """The result for style sheets: won, lost, level, open; empty if the two never met."""
        if self.points is None or self.against is None:
            return "open" if self.meetings else ""
        if self.points == self.against:
            return "level"
        return "won" if self.points > self.against else "lost"


@dataclass(frozen=True, slots=True)
class CrosstableLine:
    """A line: an entrant, and a cell for each entrant in the same order; None against itself."""

    entrant: int
    cells: tuple[CrosstableCell | None, ...]

    @property
    def points(self) -> list[float | None]:
        """The points against each entrant; None where there are none."""
        return [None if cell is None else cell.points for cell in self.cells]


def of(picture: TournamentSnapshot) -> list[CrosstableLine]:
    """Return the cross table of a tournament, by rank; none before the freeze."""
    frozen = picture.tournament.frozen_at is not None
    return crosstable(
        state=picture.state,
        order=[row.entrant for row in picture.standings] if frozen else [],
        points_of=lambda score: scoring.points(picture.setup.scoring, score),
    )


def crosstable(
    *, state: TournamentState, order: Sequence[int], points_of: Callable[[Score], float]
) -> list[CrosstableLine]:
    """Return a line for every entrant of `order`, with a cell for every other entrant.

    Byes are left out, because they have no opponent.
    """
    met: dict[tuple[int, int], list[PairingState]] = {}
    for meeting in state.meetings:
        for one in meeting.entrants:
            for other in meeting.entrants:
                met.setdefault((one, other), []).append(meeting)
    return [
        CrosstableLine(
            one,
            tuple(
                None if one == other else _cell(one, other, met.get((one, other), []), points_of)
                for other in order
            ),
        )
        for one in order
    ]


def _cell(
    one: int, other: int, meetings: Sequence[PairingState], points_of: Callable[[Score], float]
) -> CrosstableCell:
    scored = [
        (own, theirs)
        for meeting in meetings
        if (own := meeting.score_of(one)) and (theirs := meeting.score_of(other))
    ]
    if not scored:
        return CrosstableCell(tuple(meetings))
    return CrosstableCell(
        tuple(meetings),
        sum(points_of(own) for own, _theirs in scored),
        sum(points_of(theirs) for _own, theirs in scored),
    )
