"""The end of a season: a fresh start of the counts of games, and an archive of the leaderboard.

The counts are cleared while the ladder is locked. The archive needs a fit, which takes minutes on a
large ladder, and nothing that happens later changes it: it is made afterwards, without a lock.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from arena.domain.ratings import fit, rating_events, refits
from arena.domain.ratings.fit import Fit
from arena.models import Entrant, Ladder, RatingEvent, Season, SeasonStanding, User


def end(*, ladder: Ladder, by: User | None = None) -> Season:
    """End the ladder's open season and begin the next one. `archive` makes its standings.

    Lock the ladder, take its next finish number and clear the counts of games. Ratings stay,
    because the versions did not change. Matches that are running count for the season in which they
    finish.
    """
    with transaction.atomic():
        ladder = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        # What finishes from here on waits for the entrants, and is of the next season.
        Entrant.objects.filter(ladder=ladder).lock()
        rating_events.number_finished(ladder=ladder)
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
        Entrant.objects.filter(ladder=ladder).update(games=0, wins=0, draws=0, losses=0)
        ladder.season_number += 1
        ladder.next_finish_number += 1
        ladder.save()
    return season


def pending() -> QuerySet[Season]:
    """Return the seasons that are over and have no final standings yet."""
    played = RatingEvent.objects.filter(
        rating_events.standing(
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
    fitted = refits.at(ladder=season.ladder, place=season.last_finish_number)
    rows = standings(season=season, fitted=fitted)
    with transaction.atomic():
        # Another process may have stored the same ones meanwhile.
        SeasonStanding.objects.bulk_create(
            rows, batch_size=rating_events.CHUNK, ignore_conflicts=True
        )


def standings(*, season: Season, fitted: Fit) -> list[SeasonStanding]:
    """Return the final standings of a season, unsaved, best first: all bots with a rated game.

    The fit is that of the end of the season. The version of a bot is the one that was rated last.
    """
    tallies = rating_events.tallies(
        ladder=season.ladder,
        after=season.first_finish_number - 1,
        until=season.last_finish_number,
    )
    latest = {
        tally.bot: version
        for version, tally in sorted(tallies.items(), key=lambda item: item[1].latest)
    }
    ranges = fitted.rank_ranges(
        [version for version in latest.values() if refits.has_games_for_a_rank(fitted, version)]
    )
    rows = [
        SeasonStanding(
            season=season,
            bot_id=bot,
            version_id=version,
            **dict(zip(refits.RANGE, ranges.get(version, refits.NO_RANGE), strict=True)),
            **rating_events.as_columns(tallies[version].counts),
            **refits.columns(fitted, version),
        )
        for bot, version in latest.items()
    ]
    ranks = ranks_of(rows)
    for row in rows:
        row.rank = ranks[row.bot_id]
    return sorted(rows, key=lambda row: (row.rank, row.bot_id))


def ranks_of(rows: Iterable[SeasonStanding]) -> dict[int, int]:
    """Return the rank of each bot by its rating; those without a range are equal, after all."""
    return refits.ranks({row.bot_id: row.rating if row.best_rank else None for row in rows})
