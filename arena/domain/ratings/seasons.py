"""Seasons of a ladder: ended with a soft reset and a frozen archive."""

from datetime import datetime

from django.db import transaction

from arena.domain.ratings import fit, intervals, rating_table
from arena.domain.ratings.fit import Fit
from arena.domain.ratings.rating_table import RatingTable
from arena.models import (
    Entrant,
    Ladder,
    RatingAdjustment,
    Season,
    SeasonStanding,
    User,
)


def end(*, ladder: Ladder, by: User | None = None) -> Season:
    """End the ladder's open season and begin the next one.

    Under the lock on the ladder, in this order: the end takes the ladder's next finish number; the
    leaderboard with its intervals is archived; every number comes nearer to the start and the
    counts of games start again, each with an adjustment. Estimates stay, for versions are what they
    were. Matches that are under way count for the
    season in which they finish.
    """
    with transaction.atomic():
        ladder = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        book = rating_table.present(ladder=ladder)
        before = rating_table.season_begins_after(ladder=ladder)
        place = ladder.next_finish_number
        fitted = intervals.at(ladder=ladder, place=place)
        season = Season.objects.create(
            ladder=ladder,
            number=ladder.season_number,
            first_finish_number=before + 1,
            last_finish_number=place,
            began_at=_began_at(ladder),
            ended_by=by,
        )
        standings = archive(book=book, fitted=fitted)
        for standing in standings:
            standing.season = season
        SeasonStanding.objects.bulk_create(standings)
        _reset(season, book)
        ladder.season_number += 1
        ladder.next_finish_number += 1
        ladder.save()
    return season


def archive(*, book: RatingTable, fitted: Fit) -> list[SeasonStanding]:
    """Return the final standings of a season, unsaved, best first: all who have a rated game.

    A bot stands there with the version that was rated last.
    """
    latest: dict[int, int] = {}
    for version, _place in sorted(book.seen.items(), key=lambda seen: seen[1]):
        latest[book.bots[version]] = version
    known = [version for version in latest.values() if version in fitted.estimates]
    bands = fit.tie_bands({version: fitted.estimates[version] for version in known})
    rows = sorted(latest.items(), key=lambda row: (-book.number(row[0]), row[0]))
    ranks: dict[float, int] = {}
    for place, (bot, _version) in enumerate(rows, start=1):
        ranks.setdefault(book.number(bot), place)
    return [
        SeasonStanding(
            rank=ranks[book.number(bot)],
            bot_id=bot,
            version_id=version,
            rating=book.number(bot),
            games=book.counts[version].games,
            tie_band=bands.get(version),
            **book.counts[version]._asdict(),
            **intervals.columns(fitted, version),
        )
        for bot, version in rows
    ]


def _reset(season: Season, book: RatingTable) -> None:
    after = book.copy()
    after.reset(place=season.last_finish_number)
    rows = list(rating_table.adjustments(book, after))
    for row in rows:
        row.ladder, row.season, row.finish_number = season.ladder, season, after.place
    RatingAdjustment.objects.bulk_create(rows, batch_size=rating_table.CHUNK)
    entrants = list(Entrant.objects.filter(ladder=season.ladder))
    for entrant in entrants:
        entrant.rating = after.number(entrant.bot_id)
    Entrant.objects.bulk_update(entrants, ["rating"], batch_size=rating_table.CHUNK)
    Entrant.objects.filter(ladder=season.ladder).update(games=0, wins=0, draws=0, losses=0)


def _began_at(ladder: Ladder) -> datetime:
    last = Season.objects.filter(ladder=ladder).order_by("-number").first()
    return last.ended_at if last else ladder.created_at
