"""Rating events: the results of the matches of a ladder, in their order, and what is counted.

Matches, annulments and ends of seasons have finish numbers, their order on the ladder. An event is
written in the transaction that finishes its match. Matches that finish take no lock on the ladder,
so whoever needs their order holds it, and gives them their numbers first.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from django.db import connection
from django.db.models import Max, Q, QuerySet, Sum
from django.db.models.expressions import Combinable

from arena.domain.ratings import elo
from arena.domain.ratings.scores import EntrantScore
from arena.models import Entrant, Ladder, Match, RatingEvent, Season

WIN, DRAW = 1.0, 0.5
CHUNK = 500

# Django takes longer to write this than the database to do it.
_ADVANCE = """
WITH changed (id, online_elo, wins, draws, losses) AS (VALUES {})
UPDATE arena_entrant SET online_elo = changed.online_elo, last_match_at = %s,
    games = arena_entrant.games + changed.wins + changed.draws + changed.losses,
    wins = arena_entrant.wins + changed.wins, draws = arena_entrant.draws + changed.draws,
    losses = arena_entrant.losses + changed.losses
FROM changed WHERE arena_entrant.id = changed.id"""
_NUMBER_MATCHES = """
UPDATE arena_match SET finish_number = numbered.finish_number FROM (
    SELECT id, %s + row_number() OVER (ORDER BY finished_at, id) - 1 AS finish_number
    FROM arena_match WHERE ladder_id = %s AND kind = 'ladder' AND status = 'finished'
        AND finish_number IS NULL
) AS numbered WHERE arena_match.id = numbered.id"""
_NUMBER_EVENTS = """
UPDATE arena_ratingevent SET finish_number = numbered.finish_number FROM arena_match AS numbered
WHERE numbered.id = arena_ratingevent.match_id AND numbered.ladder_id = %s
    AND numbered.finish_number >= %s"""


class Counts(NamedTuple):
    """Rated games that count."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self)


NO_GAMES = Counts()


class VersionTally(NamedTuple):
    """What counts of a version: its bot, its games, and the id of its latest event."""

    bot: int
    counts: Counts
    latest: int


def store(*, match: Match, parts: Sequence[EntrantScore]) -> None:
    """Write one event per entrant of a finished match and update the rows of the entrants.

    An entrant without a rated game gets no event. The caller holds a transaction. This takes three
    statements, however long the ladder is: one locks and reads the entrants, two write. Only a late
    match of an older version needs one more. A second call for the same match fails on the unique
    constraint `rated_once`.
    """
    versions = {part.bot_id: part.version_id for part in parts}
    rows = Entrant.objects.filter(ladder=match.ladder, bot__in=versions).lock()
    entrants = {row.bot_id: row for row in rows}
    for bot in versions.keys() - entrants.keys():
        entrants[bot] = Entrant.objects.create(
            ladder=match.ladder, bot_id=bot, version_id=versions[bot]
        )
    before = {part.bot_id: _rating_before(entrants[part.bot_id], part) for part in parts}
    known = {bot: elo.START if rating is None else rating for bot, rating in before.items()}
    RatingEvent.objects.bulk_create(
        RatingEvent(
            ladder=match.ladder,
            match=match,
            version_id=part.version_id,
            before=before[part.bot_id],
            expected=part.expected(known),
            score=part.score,
            returned=entrants[part.bot_id].is_absent,
            **counts_in(part)._asdict(),
        )
        for part in parts
        if part.games
    )
    online = {bot: entrant.online_elo for bot, entrant in entrants.items()}
    changes = [_change(entrants[part.bot_id], part, online) for part in parts]
    values = ", ".join(["(%s, %s, %s, %s, %s)"] * len(changes))
    finished_at = connection.ops.adapt_datetimefield_value(match.finished_at)
    with connection.cursor() as cursor:
        cursor.execute(_ADVANCE.format(values), [*chain.from_iterable(changes), finished_at])


def number_finished(*, ladder: Ladder) -> None:
    """Assign the next finish numbers to the matches that have finished without, by their end.

    The caller holds the lock on the ladder.
    """
    with connection.cursor() as cursor:
        cursor.execute(_NUMBER_MATCHES, [ladder.next_finish_number, ladder.pk])
        numbered = cursor.rowcount
        cursor.execute(_NUMBER_EVENTS, [ladder.pk, ladder.next_finish_number])
    if numbered:
        ladder.next_finish_number += numbered
        ladder.save(update_fields=["next_finish_number"])


def unnumbered(*, ladder: Ladder) -> QuerySet[Match]:
    """Return the finished matches of a ladder that have no finish number yet."""
    return Match.objects.of_ladder(ladder).finished().filter(finish_number=None)


def locked(*, ladder: Ladder) -> Ladder:
    """Lock a ladder, give its finished matches their numbers, and return it as it is then."""
    row = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
    number_finished(ladder=row)
    return row


def counts_of(*, ladder: Ladder, version_id: int) -> dict[str, int]:
    """Return `games`, `wins`, `draws` and `losses` of a version in the open season.

    Annulled matches do not count.
    """
    events = RatingEvent.objects.filter(
        ladder=ladder,
        version=version_id,
        match__annulment=None,
    ).filter(_later(season_begins_after(ladder=ladder)))
    return as_columns(
        Counts(**events.aggregate(**{word: Sum(word, default=0) for word in Counts._fields}))
    )


def as_columns(counts: Counts) -> dict[str, int]:
    """Return the values of the columns for these counts."""
    return {"games": counts.games, **counts._asdict()}


def tallies(*, ladder: Ladder, after: int, until: int | None = None) -> dict[int, VersionTally]:
    """Return, by version, what counts between two finish numbers, both exclusive.

    Without `until`, it is what counts now, matches without a finish number included.
    """
    counted = (
        Q(_later(after), match__annulment=None)
        if until is None
        else standing(after=after, until=until)
    )
    rows = (
        RatingEvent.objects.filter(counted, ladder=ladder)
        .order_by()
        .values_list("version", "version__bot")
        .annotate(*(Sum(word) for word in Counts._fields), Max("pk"))
    )
    return {
        version: VersionTally(bot, Counts(*counts), latest)
        for version, bot, *counts, latest in rows
    }


def _later(place: int) -> Q:
    """Return which events are later than a finish number: those without one are the latest."""
    return Q(finish_number__gt=place) | Q(finish_number=None)


def standing(*, after: int | Combinable, until: int | Combinable) -> Q:
    """Return which events count between two finish numbers, both exclusive, for who stands there.

    Events of matches that were annulled later still count.
    """
    return Q(
        Q(match__annulment=None) | Q(match__annulment__finish_number__gt=until),
        finish_number__gt=after,
        finish_number__lt=until,
    )


def season_begins_after(*, ladder: Ladder) -> int:
    """Return the finish number of the end of the previous season, or 0 in the first season."""
    ended = Season.objects.filter(ladder=ladder).order_by("-number").first()
    return ended.last_finish_number if ended else 0


def rated_matches(
    *, ladder: Ladder, after: int = 0, until: int | None = None, annulled_until: int | None = None
) -> QuerySet[Match]:
    """Return the matches with finish numbers between `after` and `until`, both exclusive, in order.

    Their entrants and games are prefetched. `annulled_until` leaves out matches annulled at that
    finish number or before.
    """
    rows = Match.objects.of_ladder(ladder).finished().filter(finish_number__gt=after)
    if until is not None:
        rows = rows.filter(finish_number__lt=until)
    if annulled_until is not None:
        rows = rows.exclude(annulment__finish_number__lte=annulled_until)
    rows = rows.select_related("ladder").order_by("finish_number")
    return rows.prefetch_related("entrants__version", "games")


def place_of(match: Match) -> int:
    """Return the finish number of a finished match of a ladder."""
    if match.finish_number is None:
        raise ValueError(f"match {match} has no finish number")
    return match.finish_number


def counts_in(part: EntrantScore) -> Counts:
    """Return the wins, draws and losses of an entrant in its rated games of a match."""
    points = [game.points for game in part.games]
    wins, draws = points.count(WIN), points.count(DRAW)
    return Counts(wins, draws, len(points) - wins - draws)


def _rating_before(entrant: Entrant, part: EntrantScore) -> float | None:
    """Return the rating of a version: that of the latest fit, or, of an older one, its last."""
    if entrant.version_id == part.version_id:
        return entrant.rating
    rated = RatingEvent.objects.filter(ladder=entrant.ladder_id, version=part.version_id)
    latest = rated.exclude(after=None).order_by("-finish_number")  # a fit numbers before it rates
    return latest.values_list("after", flat=True).first()


def _change(entrant: Entrant, part: EntrantScore, online: Mapping[int, float]) -> tuple[float, ...]:
    """Return the values of an entrant for `_ADVANCE`: its id, its online Elo, and new games."""
    if not part.games:
        return (entrant.pk, entrant.online_elo, *NO_GAMES)
    moved = elo.updated(
        entrant.online_elo,
        expected=part.expected(online),
        score=part.score,
        k=elo.k_factor(entrant.games),
    )
    # A late match of an older version is no game of this version.
    is_own = entrant.version_id == part.version_id
    return (entrant.pk, moved, *(counts_in(part) if is_own else NO_GAMES))
