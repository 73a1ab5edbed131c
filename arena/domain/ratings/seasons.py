"""The end of a season: an archive of the leaderboard, and a soft reset of the Elo numbers."""

import math

from django.db import transaction

from arena.domain.ratings import fit, rating_table, refits
from arena.domain.ratings.fit import Fit
from arena.domain.ratings.rating_table import RatingTable
from arena.models import Entrant, Ladder, RatingAdjustment, Season, SeasonStanding, User


def end(*, ladder: Ladder, by: User | None = None) -> Season:
    """End the ladder's open season and begin the next one.

    Lock the ladder, take its next finish number, archive the leaderboard with its intervals, move
    every Elo number towards the start and clear the counts of games, and store adjustments for
    both. Ratings stay, because the versions did not change. Matches that are running count for
    the season in which they finish.
    """
    with transaction.atomic():
        ladder = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        table = rating_table.present(ladder=ladder)
        previous = Season.objects.filter(ladder=ladder).order_by("-number").first()
        place = ladder.next_finish_number
        fitted = refits.at(ladder=ladder, place=place)
        season = Season.objects.create(
            ladder=ladder,
            number=ladder.season_number,
            first_finish_number=previous.last_finish_number + 1 if previous else 1,
            last_finish_number=place,
            rating_model=fit.MODEL,
            began_at=previous.ended_at if previous else ladder.created_at,
            ended_by=by,
        )
        standings = archive(table=table, fitted=fitted)
        for standing in standings:
            standing.season = season
        SeasonStanding.objects.bulk_create(standings)
        _reset(season, table)
        ladder.season_number += 1
        ladder.next_finish_number += 1
        ladder.save()
    return season


def archive(*, table: RatingTable, fitted: Fit) -> list[SeasonStanding]:
    """Return the final standings of a season, unsaved, best first: all bots with a rated game.

    The version of a bot is the one that was rated last.
    """
    latest: dict[int, int] = {}
    for version, _place in sorted(table.seen.items(), key=lambda seen: seen[1]):
        latest[table.bots[version]] = version
    bands = fitted.tie_bands(latest.values())
    ratings = {
        bot: fitted.estimates[version].value if version in fitted.estimates else -math.inf
        for bot, version in latest.items()
    }
    rows = sorted(latest.items(), key=lambda row: (-ratings[row[0]], row[0]))
    ranks = rating_table.ranks(ratings)
    return [
        SeasonStanding(
            rank=ranks[bot],
            bot_id=bot,
            version_id=version,
            elo=table.rating(bot),
            games=table.counts[version].games,
            tie_band=bands.get(version),
            **table.counts[version]._asdict(),
            **refits.columns(fitted, version),
        )
        for bot, version in rows
    ]


def _reset(season: Season, table: RatingTable) -> None:
    after = table.copy()
    after.reset(place=season.last_finish_number)
    rows = list(rating_table.adjustments(table, after))
    for row in rows:
        row.ladder, row.season, row.finish_number = season.ladder, season, after.place
    RatingAdjustment.objects.bulk_create(rows, batch_size=rating_table.CHUNK)
    entrants = list(Entrant.objects.filter(ladder=season.ladder))
    for entrant in entrants:
        entrant.elo = after.rating(entrant.bot_id)
    Entrant.objects.bulk_update(entrants, ["elo"], batch_size=rating_table.CHUNK)
    Entrant.objects.filter(ladder=season.ladder).update(games=0, wins=0, draws=0, losses=0)
