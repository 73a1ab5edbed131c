"""Leaderboards as templates take them."""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.domain import queries
from arena.domain.queries import Standing
from arena.models import Entrant, Ladder
from arena.web import readings


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a leaderboard with its latest results."""

    rank: int
    entrant: Entrant
    provisional: bool
    form: Sequence[str]


@dataclass(frozen=True, slots=True)
class LadderBoard:
    """A ladder and the top of it."""

    ladder: Ladder
    rows: Sequence[Row]


def rows(*, ladder: Ladder, limit: int, offset: int = 0) -> list[Row]:
    """Give lines of a leaderboard with the form of each."""
    standings = queries.leaderboard(ladder=ladder, limit=limit, offset=offset)
    form = readings.form_of(
        ladder=ladder, versions=[standing.entrant.version_id for standing in standings]
    )
    return [_row(standing, form.get(standing.entrant.version_id, [])) for standing in standings]


def tops(*, limit: int) -> list[LadderBoard]:
    """Give the top of every ladder."""
    return [
        LadderBoard(
            ladder,
            [_row(standing, ()) for standing in queries.leaderboard(ladder=ladder, limit=limit)],
        )
        for ladder in Ladder.objects.order_by("slug")
    ]


def _row(standing: Standing, form: Sequence[str]) -> Row:
    entrant = standing.entrant
    entrant.version.bot = entrant.bot  # the address of a version names its bot: do not ask again
    return Row(standing.rank, entrant, standing.provisional, form)
