"""The pairs of bots whose results their ratings explain least, for staff.

A surprise is a reason to look closer. It proves nothing: among many pairs, the largest surprise is
large by chance too. Beat looks once an hour (`make_due`), because that reads many rows.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from itertools import groupby

from django.utils import timezone

from arena.domain import spreadsheets
from arena.models import Bot, Ladder, Match, RatingEvent, SurpriseReport

SINCE = timedelta(days=90)
EVERY = timedelta(hours=1)
MOST_MATCHES = 10_000  # the latest of a ladder
FEWEST_MEETINGS = 5  # of a pair: fewer say little
PAIRS = 20  # of a ladder, the most surprising first
SURE = 0.05  # a prediction nearer to 0 or 1 counts as this, because ratings are not exact


@dataclass(frozen=True, slots=True)
class StoredSurprise:
    """The ids of a ladder and of the two bots, and what `winner` scored against `loser`.

    `z` is by how many standard deviations the score exceeds the expected one.
    """

    ladder: int
    winner: int
    loser: int
    matches: int
    score: float
    expected: float
    z: float


@dataclass(frozen=True, slots=True)
class Surprise:
    """A stored surprise with the rows that it is about."""

    ladder: Ladder
    winner: Bot
    loser: Bot
    stored: StoredSurprise


def make_due() -> None:
    """Look for surprises and store them, if that was last done an hour ago or earlier."""
    if SurpriseReport.objects.filter(made_at__gt=timezone.now() - EVERY).exists():
        return
    found = [
        asdict(surprise) for ladder in Ladder.objects.all() for surprise in of_ladder(ladder=ladder)
    ]
    values = {"made_at": timezone.now(), "found": found}
    SurpriseReport.objects.update_or_create(pk=1, defaults=values)


def latest() -> tuple[datetime | None, list[Surprise]]:
    """Return when the site last looked, and what it found, the largest surprise first.

    Surprises of bots that the site has deleted since are left out.
    """
    report = SurpriseReport.objects.first()
    if report is None:
        return None, []
    stored = [StoredSurprise(**values) for values in report.found]
    pks = {pk for surprise in stored for pk in (surprise.winner, surprise.loser)}
    bots = Bot.objects.select_related("owner").in_bulk(pks)
    ladders = Ladder.objects.in_bulk()
    shown = [
        Surprise(ladders[surprise.ladder], bots[surprise.winner], bots[surprise.loser], surprise)
        for surprise in sorted(stored, key=lambda surprise: -surprise.z)
        if surprise.ladder in ladders and {surprise.winner, surprise.loser} <= bots.keys()
    ]
    return report.made_at, shown


def as_csv() -> str:
    """Return the surprises as comma-separated values."""
    heads = ("ladder", "bot", "opponent", "matches", "score", "expected", "z")
    rows = (
        (
            *(row.ladder.slug, str(row.winner), str(row.loser), row.stored.matches),
            *(row.stored.score, round(row.stored.expected, 2), round(row.stored.z, 2)),
        )
        for row in latest()[1]
    )
    return spreadsheets.text((heads, *rows))


def of_ladder(*, ladder: Ladder) -> list[StoredSurprise]:
    """Return the most surprising pairs of the last 90 days or 10 000 matches of a ladder.

    Annulled matches do not count, and neither do those of three bots, of whom nobody can tell who
    gave points to whom.
    """
    pairs: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for bots, expected, score in _meetings(ladder):
        pairs.setdefault(bots, []).append((expected, score))
    surprises = []
    for pair, results in pairs.items():
        if len(results) < FEWEST_MEETINGS:
            continue
        score = sum(scored for _expected, scored in results)
        expected = sum(chance for chance, _scored in results)
        likely = [min(max(chance, SURE), 1 - SURE) for chance, _scored in results]
        z = (score - expected) / math.sqrt(sum(chance * (1 - chance) for chance in likely))
        winner, loser = pair
        if z < 0:
            winner, loser, z = loser, winner, -z
            score, expected = len(results) - score, len(results) - expected
        surprises.append(StoredSurprise(ladder.pk, winner, loser, len(results), score, expected, z))
    return sorted(surprises, key=lambda surprise: -surprise.z)[:PAIRS]


def _meetings(ladder: Ladder) -> Iterator[tuple[tuple[int, int], float, float]]:
    """Yield two bots in the order of their ids, and the first one's expected score and score."""
    matches = Match.objects.filter(
        ladder=ladder,
        finish_number__gte=ladder.next_finish_number - MOST_MATCHES,
        finished_at__gte=timezone.now() - SINCE,
        annulment=None,
    ).order_by()
    events = (
        RatingEvent.objects.filter(match__in=matches)
        .order_by("match", "version__bot")
        .values_list("match", "version__bot", "expected", "score")
    )
    for _match, group in groupby(events.iterator(), key=lambda event: event[0]):
        rows = list(group)
        if len(rows) == 2:  # noqa: PLR2004 - a pair
            (_, bot, expected, score), (_, other, *_rest) = rows
            yield (bot, other), expected, score
