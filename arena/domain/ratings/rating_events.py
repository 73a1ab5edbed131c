"""Rating events, the trace of the Elo numbers.

They are written in the transaction that finishes a match.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from django.db import connection
from django.db.models import F, Sum

from arena.domain.ratings import elo, rating_table
from arena.domain.ratings.rating_table import Counts, RatingTable
from arena.domain.ratings.scores import EntrantScore
from arena.models import Bot, Entrant, Ladder, Match, RatingAdjustment, RatingEvent

# All matches of a ladder wait for this. Django takes longer to write it than the database to do it.
_ADVANCE = """
WITH changed (id, elo, wins, draws, losses) AS (VALUES {})
UPDATE arena_entrant SET elo = changed.elo, last_match_at = %s,
    games = arena_entrant.games + changed.wins + changed.draws + changed.losses,
    wins = arena_entrant.wins + changed.wins, draws = arena_entrant.draws + changed.draws,
    losses = arena_entrant.losses + changed.losses
FROM changed WHERE arena_entrant.id = changed.id"""


def apply(*, match: Match, parts: Sequence[EntrantScore]) -> list[RatingEvent]:
    """Write one event per entrant of a finished match and update the rows of the entrants.

    An entrant without a rated game gets no event. The caller holds a transaction and the lock on
    the ladder, so this takes three statements, however long the ladder is: one reads, two write.
    Only a late match of an older version needs two more. A second call for the same match fails on
    the unique constraint `rated_once`.
    """
    entrants = {row.bot_id: row for row in _entrants(match.ladder, parts)}
    table = RatingTable(
        ratings={bot: row.elo for bot, row in entrants.items()},
        counts={part.version_id: _counts_before(entrants[part.bot_id], part) for part in parts},
    )
    events = table.rate(match, parts)
    absent = {part.version_id for part in parts if entrants[part.bot_id].is_absent}
    for event in events:
        event.returned = event.version_id in absent
    RatingEvent.objects.bulk_create(events)
    by_version = {event.version_id: event for event in events}
    changes = [_change(entrants[part.bot_id], by_version.get(part.version_id)) for part in parts]
    _advance(changes, match)
    return events


def counts_of(*, ladder: Ladder, version_id: int) -> dict[str, int]:
    """Return `games`, `wins`, `draws` and `losses` of a version in the open season.

    Annulled matches do not count.
    """
    events = RatingEvent.objects.filter(
        ladder=ladder,
        version=version_id,
        match__annulment=None,
        finish_number__gt=rating_table.season_begins_after(ladder=ladder),
    )
    totals = events.aggregate(**{word: Sum(word, default=0) for word in Counts._fields})
    counts = Counts(**totals)
    return {"games": counts.games, **counts._asdict()}


def rating_before(*, ladder: Ladder, bot: Bot, place: int) -> float:
    """Return the Elo number that a bot had just before a finish number of the ladder."""
    versions = list(bot.versions.values_list("pk", flat=True))
    latest = [
        rows.filter(ladder=ladder, version__in=versions, finish_number__lt=place)
        .order_by("-finish_number")
        .values_list("finish_number", "after")
        .first()
        for rows in (RatingEvent.objects.all(), RatingAdjustment.objects.all())
    ]
    return max((row for row in latest if row), default=(0, elo.START))[1]


def _entrants(ladder: Ladder, parts: Iterable[EntrantScore]) -> list[Entrant]:
    """Return the rows of the entrants."""
    versions = {part.bot_id: part.version_id for part in parts}
    found = list(Entrant.objects.filter(ladder=ladder, bot__in=versions).order_by())
    missing = versions.keys() - {row.bot_id for row in found}
    return found + [
        Entrant.objects.create(ladder=ladder, bot_id=bot, version_id=versions[bot])
        for bot in missing
    ]


def _counts_before(entrant: Entrant, part: EntrantScore) -> Counts:
    """Return counts of a version. Only their sum is right, and the formula needs nothing else.

    The row of the entrant has those of its version, an older version those of its latest event or
    adjustment.
    """
    if entrant.version_id == part.version_id:
        return Counts(wins=entrant.games)
    games = F("wins") + F("draws") + F("losses")
    latest = [
        rows.filter(ladder=entrant.ladder_id, version=part.version_id)
        .order_by("-finish_number")
        .values_list("finish_number", total)
        .first()
        for rows, total in (
            (RatingEvent.objects.all(), games + F("games_before")),
            (RatingAdjustment.objects.all(), games),
        )
    ]
    return Counts(wins=max((row for row in latest if row), default=(0, 0))[1])


def _change(entrant: Entrant, event: RatingEvent | None) -> tuple[float, ...]:
    """Return the values of an entrant for `_ADVANCE`: its id, its Elo number, and new games."""
    if event is None:
        return (entrant.pk, entrant.elo, 0, 0, 0)
    if event.version_id != entrant.version_id:
        # A late match of an older version changes the rating, but is no game of this version.
        return (entrant.pk, event.after, 0, 0, 0)
    return (entrant.pk, event.after, event.wins, event.draws, event.losses)


def _advance(changes: Sequence[tuple[float, ...]], match: Match) -> None:
    rows = ", ".join(["(%s, %s, %s, %s, %s)"] * len(changes))
    finished_at = connection.ops.adapt_datetimefield_value(match.finished_at)
    with connection.cursor() as cursor:
        cursor.execute(_ADVANCE.format(rows), [*chain.from_iterable(changes), finished_at])
