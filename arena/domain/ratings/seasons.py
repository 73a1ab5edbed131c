"""The end of a season: a soft reset of the Elo numbers, and an archive of the leaderboard.

The reset happens while the ladder is locked. The archive needs a fit, which takes minutes on a
large ladder, and nothing that happens later changes it: it is made afterwards, without a lock.
"""

import math
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from arena.domain.ratings import elo, fit, rating_table, refits
from arena.domain.ratings.fit import Fit
from arena.domain.ratings.rating_table import RatingTable
from arena.models import (
    Entrant,
    Ladder,
    RatingAdjustment,
    RatingEvent,
    Season,
    SeasonStanding,
    User,
)


def end(*, ladder: Ladder, by: User | None = None) -> Season:
    """End the ladder's open season and begin the next one. `archive` makes its standings.

    Lock the ladder, take its next finish number, move every Elo number towards the start and clear
    the counts of games, and store adjustments for both. Ratings stay, because the versions did not
    change. Matches that are running count for the season in which they finish.
    """
    with transaction.atomic():
        ladder = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        table = rating_table.present(ladder=ladder)
        previous = Season.objects.filter(ladder=ladder).order_by("-number").first()
        season = Season.objects.create(
            ladder=ladder,
            number=ladder.season_number,
            first_finish_number=previous.last_finish_number + 1 if previous else 1,
            last_finish_number=ladder.next_finish_number,
            rating_model=fit.MODEL,
            began_at=previous.ended_at if previous else ladder.created_at,
            ended_by=by,
        )
        _reset(season, table)
        ladder.season_number += 1
        ladder.next_finish_number += 1
        ladder.save()
    return season


def pending() -> QuerySet[Season]:
    """Return the seasons that are over and have no final standings yet."""
    played = RatingEvent.objects.filter(
        rating_table.standing(
            after=OuterRef("first_finish_number") - 1, until=OuterRef("last_finish_number")
        ),
        ladder=OuterRef("ladder"),
    )
    kept = SeasonStanding.objects.filter(season=OuterRef("pk"))
    return Season.objects.filter(Exists(played), ~Exists(kept))


def is_pending(*, season: Season) -> bool:
    """Return whether the final standings of a season are still to be computed."""
    # Events are only looked for if there are no standings: there may be millions.
    return not season.standings.exists() and pending().filter(pk=season.pk).exists()


def archive_due() -> None:
    """Make the final standings of every season that has none yet."""
    for season in pending().select_related("ladder"):
        archive(season=season)


def archive(*, season: Season) -> None:
    """Store the final standings of a season with their intervals, once."""
    rows = standings(
        table=rating_table.at_season_end(season=season),
        fitted=refits.at(ladder=season.ladder, place=season.last_finish_number),
    )
    for row in rows:
        row.season = season
    with transaction.atomic():
        # Another process may have stored the same ones meanwhile.
        SeasonStanding.objects.bulk_create(
            rows, batch_size=rating_table.CHUNK, ignore_conflicts=True
        )


def standings(*, table: RatingTable, fitted: Fit) -> list[SeasonStanding]:
    """Return the final standings of a season, unsaved, best first: all bots with a rated game.

    The version of a bot is the one that was rated last.
    """
    latest: dict[int, int] = {}
    for version, _place in sorted(table.seen.items(), key=lambda seen: seen[1]):
        latest[table.bots[version]] = version
    bands = fitted.tie_bands(latest.values())
    rows = [
        SeasonStanding(
            bot_id=bot,
            version_id=version,
            elo=table.rating(bot),
            games=table.counts[version].games,
            tie_band=bands.get(version),
            **table.counts[version]._asdict(),
            **refits.columns(fitted, version),
        )
        for bot, version in latest.items()
    ]
    ranks = ranks_of(rows)
    for row in rows:
        row.rank = ranks[row.bot_id]
    return sorted(rows, key=lambda row: (row.rank, row.bot_id))


def ranks_of(rows: Iterable[SeasonStanding]) -> dict[int, int]:
    """Return the rank of each bot by its rating; those without one are equal, after all others."""
    return rating_table.ranks(
        {row.bot_id: -math.inf if row.rating is None else row.rating for row in rows}
    )


def _reset(season: Season, table: RatingTable) -> None:
    after = table.copy()
    after.reset(place=season.last_finish_number)
    rows = list(rating_table.adjustments(table, after))
    for row in rows:
        row.ladder, row.season, row.finish_number = season.ladder, season, after.place
    RatingAdjustment.objects.bulk_create(rows, batch_size=rating_table.CHUNK)
    fallen = elo.START + rating_table.SOFT_RESET * (F("elo") - elo.START)
    Entrant.objects.filter(ladder=season.ladder).update(
        elo=fallen, games=0, wins=0, draws=0, losses=0
    )
