"""Compute a ladder again from its matches, annulments and seasons, and compare."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F, Model, Q

from arena.domain.ratings import fit, rating_events, refits, scores, seasons
from arena.domain.ratings.fit import Fit
from arena.domain.ratings.rating_events import NO_GAMES
from arena.models import (
    Entrant,
    Ladder,
    Match,
    MatchKind,
    MatchStatus,
    RatingEvent,
    Season,
    SeasonStanding,
)

FIT_TOLERANCE = 0.01  # Elo: a fit is iterative, and machines round differently
OF_AN_EVENT = ("ladder_id", "finish_number", "score", "wins", "draws", "losses")
OF_A_STANDING = ("version_id", "games", "wins", "draws", "losses")


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored value that differs from the computed one. `where` names the row."""

    where: str
    stored: str
    computed: str

    def __str__(self) -> str:
        return f"{self.where}: stored {self.stored}, computed {self.computed}"


def rerate(*, ladder: Ladder) -> list[Difference]:
    """Compute a ladder again from its matches. Return every difference from what is stored.

    Matches may finish meanwhile: only while the entrants are read and counted do they wait.
    """
    with transaction.atomic():
        ladder = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        entrants = ladder.entrants.select_related("bot__owner").lock()
        differences = list(_compare_counts(ladder, entrants))
    differences.extend(_compare_matches(ladder))
    differences.extend(_compare_order(ladder))
    for season in ladder.seasons.order_by("number"):
        differences.extend(_compare_archive(season))
    rated = [entrant for entrant in entrants if entrant.rating is not None]
    if rated:
        differences.extend(_compare_fit(ladder, rated))
    return differences


def _compare_counts(ladder: Ladder, entrants: Sequence[Entrant]) -> Iterator[Difference]:
    """Compare the games of the open season. The ladder is locked."""
    tallies = rating_events.tallies(
        ladder=ladder, after=rating_events.season_begins_after(ladder=ladder)
    )
    for bot in {tally.bot for tally in tallies.values()} - {row.bot_id for row in entrants}:
        yield Difference(f"bot {bot}", "no entrant", "rated matches")
    for entrant in entrants:
        tally = tallies.get(entrant.version_id)
        counts = rating_events.as_columns(tally.counts if tally else NO_GAMES)
        yield from _value_differences(f"entrant {entrant.bot}", entrant, counts)


def _compare_matches(ladder: Ladder) -> Iterator[Difference]:
    """Compare the points and the events of each match with its games."""
    rows = rating_events.rated_matches(ladder=ladder, until=ladder.next_finish_number)
    for match in rows.prefetch_related("rating_events").iterator(chunk_size=rating_events.CHUNK):
        match.ladder = ladder
        parts = {part.version_id: part for part in scores.of_match(match=match)}
        stored = {event.version_id: event for event in match.rating_events.all()}
        where = f"match {match.public_id}, version"
        for entrant in match.entrants.all():
            points = {"points": parts[entrant.version_id].points}
            yield from _value_differences(f"{where} {entrant.version_id}", entrant, points)
        computed = {
            version: RatingEvent(
                ladder=ladder,
                version_id=version,
                finish_number=rating_events.place_of(match),
                score=part.score,
                **rating_events.counts_in(part)._asdict(),
            )
            for version, part in parts.items()
            if part.games
        }
        yield from _row_differences(where, stored, computed, OF_AN_EVENT)


def _compare_order(ladder: Ladder) -> Iterator[Difference]:
    """Find finish numbers that are missing or twice there, and rows of another ladder."""
    ends = list(ladder.seasons.order_by("number"))
    for number, (begins_after, season) in enumerate(
        zip([0, *(end.last_finish_number for end in ends)], ends, strict=False), start=1
    ):
        expected = {"number": number, "first_finish_number": begins_after + 1}
        yield from _value_differences(f"season {season.number}", season, expected)
    yield from _value_differences("ladder", ladder, {"season_number": len(ends) + 1})
    places = itertools.chain(
        Match.objects.of_ladder(ladder).finished().values_list("finish_number", flat=True),
        ladder.annulments.values_list("finish_number", flat=True),
        (end.last_finish_number for end in ends),
    )
    taken = sorted(place for place in places if place and place < ladder.next_finish_number)
    if taken != list(range(1, ladder.next_finish_number)):
        yield Difference("finish numbers", f"{len(taken)} in use", "each once")
    ours = Q(match__ladder=ladder, match__kind=MatchKind.LADDER, match__status=MatchStatus.FINISHED)
    for event in RatingEvent.objects.filter(ladder=ladder).exclude(ours):
        yield Difference(f"event {event.pk}", str(event), "nothing")
    wrong = ~Q(annulment__ladder=F("ladder")) | Q(annulment__finish_number__lt=F("finish_number"))
    annulled = Match.objects.filter(ladder=ladder, annulment__isnull=False)
    for match in annulled.filter(wrong):
        yield Difference(f"match {match}", "annulled elsewhere", "as it was")


def _compare_archive(season: Season) -> Iterator[Difference]:
    if seasons.is_pending(season=season):
        return
    fitted = refits.at(ladder=season.ladder, place=season.last_finish_number)
    rows = seasons.standings(season=season, fitted=fitted)
    computed = {row.bot_id: row for row in rows}
    stored = {row.bot_id: row for row in season.standings.all()}
    where = f"season {season.number}, bot"
    if season.rating_model != fit.MODEL:
        yield from _row_differences(where, stored, computed, OF_A_STANDING)
        return
    # Equal ratings may differ a little when they are computed again, and then change places.
    for bot, rank in seasons.ranks_of(stored.values()).items():
        if bot in computed:
            computed[bot].rank = rank
    yield from _row_differences(where, stored, computed, (*OF_A_STANDING, "rank"))
    yield from _range_differences(where, fitted, list(stored.values()), gone=0)
    for bot in stored.keys() & computed.keys():
        values = {name: getattr(computed[bot], name) for name in refits.ESTIMATE}
        yield from _fit_differences(f"{where} {bot}", stored[bot], values)


def _compare_fit(ladder: Ladder, rated: Sequence[Entrant]) -> Iterator[Difference]:
    fitted = refits.at(ladder=ladder, place=ladder.fitted_finish_number)
    for entrant in rated:
        computed = refits.columns(fitted, entrant.version_id)
        yield from _fit_differences(f"entrant {entrant.bot}", entrant, computed)
    rows = [entrant for entrant in rated if entrant.active and entrant.best_rank]
    gone = ladder.entrants.count() - len(rows)  # since the fit, at the most
    yield from _range_differences("entrant", fitted, rows, gone=gone)


def _range_differences(
    where: str, fitted: Fit, rows: Sequence[Entrant | SeasonStanding], *, gone: int
) -> Iterator[Difference]:
    """Compare the ranges of ranks of these rows, which the fit ranked with those that are gone.

    Two fits of the same results differ a little, so a gap that is just sure may not be so again.
    """
    among = [row.version_id for row in rows]
    wide, narrow = (
        fitted.rank_ranges(among, slack=slack) for slack in (4 * FIT_TOLERANCE, -4 * FIT_TOLERANCE)
    )
    for row in rows:
        if row.version_id not in wide or row.best_rank is None or row.worst_rank is None:
            continue
        stored = row.best_rank, row.worst_rank
        (least, last), (best, worst) = wide[row.version_id], narrow[row.version_id]
        if not (least <= stored[0] <= best + gone and worst <= stored[1] <= last + gone):
            yield Difference(
                f"{where} {row.bot}, ranks", f"{stored[0]}-{stored[1]}", f"{best}-{worst}"
            )


def _row_differences(
    where: str, stored: Mapping[int, Model], computed: Mapping[int, Model], names: Sequence[str]
) -> Iterator[Difference]:
    """Compare rows by id. A missing row and a surplus row are differences."""
    for key in sorted(stored.keys() | computed.keys()):
        here = f"{where} {key}"
        if key not in stored:
            yield Difference(here, "nothing", "a row")
        elif key not in computed:
            yield Difference(here, "a row", "nothing")
        else:
            values = {name: getattr(computed[key], name) for name in names}
            yield from _value_differences(here, stored[key], values)


def _value_differences(
    where: str, stored: Model, computed: Mapping[str, Any]
) -> Iterator[Difference]:
    """Compare columns of a row exactly."""
    for name, value in computed.items():
        have = getattr(stored, name)
        if have != value:
            yield Difference(f"{where}, {name}", str(have), str(value))


def _fit_differences(
    where: str, stored: Model, computed: Mapping[str, float | None]
) -> Iterator[Difference]:
    """Compare columns of a fit, with `FIT_TOLERANCE`."""
    for name, value in computed.items():
        have = getattr(stored, name)
        is_missing = have is None or value is None
        if have is not value if is_missing else abs(have - value) > FIT_TOLERANCE:
            yield Difference(f"{where}, {name}", str(have), str(value))
