"""The rating table of a ladder: the Elo number of each bot and the counts of each version.

Matches, annulments and ends of seasons have finish numbers, their order on the ladder. The table
can be recomputed from these rows alone. `docs/adr/0018` has the rules.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from django.db.models import Max, Q, QuerySet, Sum
from django.db.models.expressions import Combinable

from arena.domain.ratings import elo, scores
from arena.domain.ratings.scores import EntrantScore
from arena.models import Ladder, Match, RatingAdjustment, RatingEvent, Season

WIN, DRAW = 1.0, 0.5
SOFT_RESET = 0.5  # of the distance from the start rating: what remains of it after a season
CHUNK = 500


class Counts(NamedTuple):
    """The rated games of a version in the open season, annulled ones left out."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self)


NO_GAMES = Counts()


@dataclass(slots=True)
class RatingTable:
    """A ladder at the finish number `place`.

    `ratings` are Elo numbers by bot (the start rating if missing), `counts` by version for the open
    season (no games if missing). `bots` has the bot of every version that was ever rated, and
    `seen` the finish number of the latest match of a version that counts.
    """

    ratings: dict[int, float] = field(default_factory=dict)
    counts: dict[int, Counts] = field(default_factory=dict)
    bots: dict[int, int] = field(default_factory=dict)
    seen: dict[int, int] = field(default_factory=dict)
    place: int = 0

    def rating(self, bot_id: int) -> float:
        """Return the Elo number of a bot."""
        return self.ratings.get(bot_id, elo.START)

    def copy(self) -> Self:
        """Return an independent copy."""
        return replace(
            self,
            ratings=dict(self.ratings),
            counts=dict(self.counts),
            bots=dict(self.bots),
            seen=dict(self.seen),
        )

    def reset(self, *, place: int) -> None:
        """Begin a season: move every Elo number towards the start, and clear the counts."""
        self.ratings = {
            bot: elo.START + SOFT_RESET * (rating - elo.START)
            for bot, rating in self.ratings.items()
        }
        self.counts, self.seen, self.place = {}, {}, place

    def rate(self, match: Match, parts: Sequence[EntrantScore]) -> list[RatingEvent]:
        """Advance the table by a match. Return its unsaved events."""
        before = {part.bot_id: self.rating(part.bot_id) for part in parts}
        events = []
        for part in parts:
            if part.games:
                had = self.counts.get(part.version_id, NO_GAMES)
                event = _event(match, part, before, had.games)
                events.append(event)
                self.ratings[part.bot_id] = event.after
                self.counts[part.version_id] = Counts(
                    had.wins + event.wins, had.draws + event.draws, had.losses + event.losses
                )
                self.bots[part.version_id] = part.bot_id
                self.seen[part.version_id] = event.finish_number
        self.place = place_of(match)
        return events


def present(*, ladder: Ladder) -> RatingTable:
    """Return the stored table. The caller holds the lock on the ladder."""
    return _counted(
        ladder,
        dict(ladder.entrants.values_list("bot", "elo")),
        after=season_begins_after(ladder=ladder),
        until=ladder.next_finish_number,
    )


def at_season_end(*, season: Season) -> RatingTable:
    """Return the table just before the reset of a season that is over, as it will always be."""
    rows = RatingAdjustment.objects.filter(season=season)
    return _counted(
        season.ladder,
        dict(rows.values_list("version__bot", "before")),
        after=season.first_finish_number - 1,
        until=season.last_finish_number,
    )


def _counted(ladder: Ladder, ratings: dict[int, float], *, after: int, until: int) -> RatingTable:
    """Return a table with what was rated between two finish numbers, both exclusive."""
    stands = standing(after=after, until=until)
    rows = (
        RatingEvent.objects.filter(ladder=ladder, finish_number__lt=until)
        .order_by()
        .values_list("version", "version__bot")
        .annotate(
            **{f"counted_{word}": Sum(word, filter=stands) for word in Counts._fields},
            latest=Max("finish_number", filter=stands),
        )
    )
    table = RatingTable(ratings=ratings, place=until - 1)
    for version, bot, *counts, seen in rows:
        table.bots[version] = bot
        if seen is not None:
            table.counts[version], table.seen[version] = Counts(*counts), seen
    return table


def standing(*, after: int | Combinable, until: int | Combinable) -> Q:
    """Return which events count between two finish numbers, both exclusive, for who stands there.

    Events of matches that were annulled later still count.
    """
    return Q(
        Q(match__annulment=None) | Q(match__annulment__finish_number__gt=until),
        finish_number__gt=after,
        finish_number__lt=until,
    )


def at_season_start(*, ladder: Ladder) -> RatingTable:
    """Return the table at the start of the open season, from the adjustments stored then."""
    place = season_begins_after(ladder=ladder)
    rows = RatingAdjustment.objects.filter(ladder=ladder, finish_number=place)
    return RatingTable(ratings=dict(rows.values_list("version__bot", "after")), place=place)


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


def replay(*, table: RatingTable, matches: QuerySet[Match], without: Collection[int] = ()) -> None:
    """Advance the table by these matches, except those with the ids `without`."""
    for match in matches.iterator(chunk_size=CHUNK):
        if match.pk not in without:
            table.rate(match, scores.of_match(match=match))


def adjustments(before: RatingTable, after: RatingTable) -> Iterator[RatingAdjustment]:
    """Yield the differences between two tables, as unsaved rows without a ladder and a cause.

    There is a row for every version whose counts changed. If only the rating of a bot changed, the
    row is for its newest version that was ever rated.
    """
    bots = before.bots | after.bots
    changed = {
        version
        for version in bots
        if before.counts.get(version, NO_GAMES) != after.counts.get(version, NO_GAMES)
    }
    newest = {bot: version for version, bot in sorted(bots.items())}
    covered = {bots[version] for version in changed}
    changed |= {
        version
        for bot, version in newest.items()
        if bot not in covered and before.rating(bot) != after.rating(bot)
    }
    for version in sorted(changed):
        counts = after.counts.get(version, NO_GAMES)
        yield RatingAdjustment(
            version_id=version,
            before=before.rating(bots[version]),
            after=after.rating(bots[version]),
            **counts._asdict(),
        )


def ranks(ratings: Mapping[int, float]) -> dict[int, int]:
    """Return the rank of each bot by a number. Equal numbers share a rank."""
    first: dict[float, int] = {}
    for rank, rating in enumerate(sorted(ratings.values(), reverse=True), start=1):
        first.setdefault(rating, rank)
    return {bot: first[rating] for bot, rating in ratings.items()}


def place_of(match: Match) -> int:
    """Return the finish number of a finished match of a ladder."""
    if match.finish_number is None:
        raise ValueError(f"match {match} has no finish number")
    return match.finish_number


def _event(
    match: Match, part: EntrantScore, before: Mapping[int, float], games_before: int
) -> RatingEvent:
    expected, score = part.expected(before), part.score
    rating, k = before[part.bot_id], elo.k_factor(games_before)
    points = [game.points for game in part.games]
    wins, draws = points.count(WIN), points.count(DRAW)
    return RatingEvent(
        ladder=match.ladder,
        match=match,
        version_id=part.version_id,
        finish_number=place_of(match),
        before=rating,
        after=elo.updated(rating, expected=expected, score=score, k=k),
        expected=expected,
        score=score,
        k=k,
        games_before=games_before,
        wins=wins,
        draws=draws,
        losses=len(points) - wins - draws,
    )
