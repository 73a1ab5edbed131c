"""Rating events, the trace of the Elo numbers.

They are written in the transaction that finishes a match.
"""

from django.db.models import Sum

from arena.domain.ratings import elo, rating_table, scores
from arena.domain.ratings.rating_table import Counts, RatingTable
from arena.models import Bot, Entrant, Ladder, Match, RatingAdjustment, RatingEvent


def apply(*, match: Match) -> list[RatingEvent]:
    """Write one event per entrant of a finished match and update the rows of the entrants.

    An entrant without a rated game gets no event. The caller holds a transaction and the lock on
    the ladder. A second call for the same match fails on the unique constraint `rated_once`. The
    number of queries does not depend on the length of the ladder.
    """
    parts = scores.of_match(match=match)
    entrants: dict[int, Entrant] = {}
    table = RatingTable()
    for part in parts:
        entrants[part.bot_id], _created = Entrant.objects.get_or_create(
            ladder=match.ladder, bot_id=part.bot_id, defaults={"version_id": part.version_id}
        )
        table.ratings[part.bot_id] = entrants[part.bot_id].elo
        table.counts[part.version_id] = _counts_before(match.ladder, part.version_id)
    events = table.rate(match, parts)
    absent = {part.version_id for part in parts if entrants[part.bot_id].is_absent}
    for event in events:
        event.returned = event.version_id in absent
    RatingEvent.objects.bulk_create(events)
    by_version = {event.version_id: event for event in events}
    for part in parts:
        _update_entrant(entrants[part.bot_id], by_version.get(part.version_id), match)
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


def _counts_before(ladder: Ladder, version_id: int) -> Counts:
    """Return counts of a version, from its latest event or adjustment.

    Only their sum is right, because an event stores only that. The formula needs nothing else.
    """
    mine = {"ladder": ladder, "version": version_id}
    event = RatingEvent.objects.filter(**mine).order_by("-finish_number").first()
    adjusted = RatingAdjustment.objects.filter(**mine).order_by("-finish_number").first()
    if adjusted and (event is None or adjusted.finish_number > event.finish_number):
        return Counts(adjusted.wins, adjusted.draws, adjusted.losses)
    return Counts(wins=event.games_before + event.games) if event else rating_table.NO_GAMES


def _update_entrant(entrant: Entrant, event: RatingEvent | None, match: Match) -> None:
    entrant.last_match_at = match.finished_at
    if event is not None:
        entrant.elo = event.after
    if event is not None and entrant.version_id == event.version_id:
        # A late match of an older version changes the rating, but is no game of this version.
        entrant.games += event.games
        entrant.wins += event.wins
        entrant.draws += event.draws
        entrant.losses += event.losses
    entrant.save(update_fields=["elo", "last_match_at", "games", "wins", "draws", "losses"])
