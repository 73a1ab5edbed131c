"""Rating events: written in the transaction that finishes a match; and where a number stood."""

from django.db.models import Sum

from arena.domain.ratings import elo, rating_table, scores
from arena.domain.ratings.differences import Difference
from arena.domain.ratings.rating_table import Counts, RatingTable
from arena.domain.ratings.recomputation import Recomputation
from arena.domain.ratings.scores import EntrantScore
from arena.models import Bot, Entrant, Ladder, Match, RatingAdjustment, RatingEvent


def apply(*, match: Match) -> list[RatingEvent]:
    """Write one event per entrant of a match just finished and update the entrants' caches.

    An entrant none of whose games is rated gets no event. The caller holds the lock on the ladder
    and the transaction. A second call for the same match fails on the unique constraint
    `rated_once`. The queries are as many on a long ladder as on a short one.
    """
    parts = scores.of_match(match=match)
    entrants = {share.bot_id: _entrant(match.ladder, share) for share in parts}
    book = RatingTable()
    for share in parts:
        book.numbers[share.bot_id] = entrants[share.bot_id].rating
        book.counts[share.version_id] = _counts_before(match.ladder, share.version_id)
    events = book.rate(match, parts)
    RatingEvent.objects.bulk_create(events)
    by_version = {event.version_id: event for event in events}
    for share in parts:
        _follow(entrants[share.bot_id], by_version.get(share.version_id), match)
    return events


def rerate(*, ladder: Ladder) -> list[Difference]:
    """Recompute the whole ladder from its matches; give every difference to what is stored.

    Annulments and the ends of seasons are taken at their places. Matches may finish meanwhile: the
    lock is taken only for the last of them and for the entrants.
    """
    return Recomputation(ladder).run()


def counts_of(*, ladder: Ladder, version_id: int) -> dict[str, int]:
    """Return the counts that an entrant with this version has: of its games in the open season.

    They are `games`, `wins`, `draws` and `losses`, annulled matches left out.
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


def number_before(*, ladder: Ladder, bot: Bot, place: int) -> float:
    """Return the number that a bot had just before a place in the ladder's order."""
    versions = list(bot.versions.values_list("pk", flat=True))
    latest = [
        rows.filter(ladder=ladder, version__in=versions, finish_number__lt=place)
        .order_by("-finish_number")
        .values_list("finish_number", "after")
        .first()
        for rows in (RatingEvent.objects.all(), RatingAdjustment.objects.all())
    ]
    return max((row for row in latest if row), default=(0, elo.START))[1]


def _entrant(ladder: Ladder, share: EntrantScore) -> Entrant:
    entrant, _made = Entrant.objects.get_or_create(
        ladder=ladder, bot_id=share.bot_id, defaults={"version_id": share.version_id}
    )
    return entrant


def _counts_before(ladder: Ladder, version_id: int) -> Counts:
    """Return the counts of a version by its latest event or adjustment, as one number each.

    Only the sum matters to the formula, and an event has only that.
    """
    mine = {"ladder": ladder, "version": version_id}
    event = RatingEvent.objects.filter(**mine).order_by("-finish_number").first()
    adjusted = RatingAdjustment.objects.filter(**mine).order_by("-finish_number").first()
    if adjusted and (event is None or adjusted.finish_number > event.finish_number):
        return Counts(adjusted.wins, adjusted.draws, adjusted.losses)
    return Counts(wins=event.games_before + event.games) if event else rating_table.NO_GAMES


def _follow(entrant: Entrant, event: RatingEvent | None, match: Match) -> None:
    entrant.last_match_at = match.finished_at
    if event is not None:
        entrant.rating = event.after
    if event is not None and entrant.version_id == event.version_id:
        # A late match of an older version moves the number but is no game of the present one.
        entrant.games += event.games
        entrant.wins += event.wins
        entrant.draws += event.draws
        entrant.losses += event.losses
    entrant.save(update_fields=["rating", "last_match_at", "games", "wins", "draws", "losses"])
