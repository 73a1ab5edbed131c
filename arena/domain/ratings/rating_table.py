"""A ladder's book: the number of each bot and the counts of each version, moved match by match.

Matches, annulments and the ends of seasons have each a place (a finish number) in the ladder's one
order. From these alone the book can be made again; `docs/adr/0018` has the rules.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from django.db.models import Max, Q, QuerySet, Sum

from arena.domain.ratings import elo, scores
from arena.domain.ratings.scores import EntrantScore
from arena.models import (
    Ladder,
    Match,
    RatingAdjustment,
    RatingEvent,
    Season,
)

WIN, DRAW = 1.0, 0.5
SOFT_RESET = 0.5  # the part of its distance from the start that a number keeps at a season's end
CHUNK = 500


class Counts(NamedTuple):
    """The rated games of a version in the open season, annulled ones left out."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many they are."""
        return sum(self)


NO_GAMES = Counts()


@dataclass(slots=True)
class RatingTable:
    """A ladder at a place in its order: `numbers` by bot, `counts` by version of the open season.

    Who is not in it has the number that everybody starts with, and no games. `bots` has the bot of
    every version that was ever rated, `seen` the place of its latest rated match that stands.
    """

    numbers: dict[int, float] = field(default_factory=dict)
    counts: dict[int, Counts] = field(default_factory=dict)
    bots: dict[int, int] = field(default_factory=dict)
    seen: dict[int, int] = field(default_factory=dict)
    place: int = 0

    def number(self, bot_id: int) -> float:
        """Return the number of a bot."""
        return self.numbers.get(bot_id, elo.START)

    def games(self, version_id: int) -> int:
        """Return how many rated games a version has in the open season."""
        return self.counts.get(version_id, NO_GAMES).games

    def copy(self) -> Self:
        """Return a book that is moved on apart from this one."""
        return replace(
            self,
            numbers=dict(self.numbers),
            counts=dict(self.counts),
            bots=dict(self.bots),
            seen=dict(self.seen),
        )

    def reset(self, *, place: int) -> None:
        """Begin a season: every number comes nearer to the start, the counts start again."""
        self.numbers = {
            bot: elo.START + SOFT_RESET * (number - elo.START)
            for bot, number in self.numbers.items()
        }
        self.counts, self.seen, self.place = {}, {}, place

    def rate(self, match: Match, parts: Sequence[EntrantScore]) -> list[RatingEvent]:
        """Move on by a match; return its unsaved events, with the numbers from before it."""
        before = {share.bot_id: self.number(share.bot_id) for share in parts}
        events = []
        for share in parts:
            if share.games:
                event = _event(match, share, before, self.games(share.version_id))
                events.append(event)
                self._follow(share, event)
        self.place = _place(match)
        return events

    def _follow(self, share: EntrantScore, event: RatingEvent) -> None:
        had = self.counts.get(share.version_id, NO_GAMES)
        won = event.wins, event.draws, event.losses
        self.numbers[share.bot_id] = event.after
        self.counts[share.version_id] = Counts(*(a + b for a, b in zip(had, won, strict=True)))
        self.bots[share.version_id] = share.bot_id
        self.seen[share.version_id] = event.finish_number


def present(*, ladder: Ladder) -> RatingTable:
    """Return the book as it is stored. The caller holds the lock on the ladder."""
    stands = Q(match__annulment=None, finish_number__gt=season_begins_after(ladder=ladder))
    rows = (
        RatingEvent.objects.filter(ladder=ladder)
        .order_by()
        .values_list("version", "version__bot")
        .annotate(
            **{f"counted_{word}": Sum(word, filter=stands) for word in Counts._fields},
            latest=Max("finish_number", filter=stands),
        )
    )
    book = RatingTable(
        numbers=dict(ladder.entrants.values_list("bot", "rating")),
        place=ladder.next_finish_number - 1,
    )
    for version, bot, *counts, seen in rows:
        book.bots[version] = bot
        if seen is not None:
            book.counts[version], book.seen[version] = Counts(*counts), seen
    return book


def at_season_start(*, ladder: Ladder) -> RatingTable:
    """Return the book as the open season began with it, from what its beginning is stored as."""
    place = season_begins_after(ladder=ladder)
    rows = RatingAdjustment.objects.filter(ladder=ladder, finish_number=place)
    return RatingTable(numbers=dict(rows.values_list("version__bot", "after")), place=place)


def season_begins_after(*, ladder: Ladder) -> int:
    """Return the place at which the season before the open one ended; 0 where there is none."""
    ended = Season.objects.filter(ladder=ladder).order_by("-number").first()
    return ended.last_finish_number if ended else 0


def rated_matches(
    *, ladder: Ladder, after: int = 0, until: int | None = None, annulled_until: int | None = None
) -> QuerySet[Match]:
    """Return the matches with a place after one and before another, in their order, all loaded.

    With `annulled_until`, without those that were annulled at that place or before it.
    """
    rows = Match.objects.of_ladder(ladder).finished().filter(finish_number__gt=after)
    if until is not None:
        rows = rows.filter(finish_number__lt=until)
    if annulled_until is not None:
        rows = rows.exclude(annulment__finish_number__lte=annulled_until)
    rows = rows.select_related("ladder").order_by("finish_number")
    return rows.prefetch_related("entrants__version", "games")


def replay(*, book: RatingTable, matches: QuerySet[Match], without: Collection[int] = ()) -> None:
    """Move the book on by these matches, but for those left out by their row."""
    for match in matches.iterator(chunk_size=CHUNK):
        if match.pk not in without:
            book.rate(match, scores.of_match(match=match))


def adjustments(before: RatingTable, after: RatingTable) -> Iterator[RatingAdjustment]:
    """Yield what changed between two books at one place, neither saved nor tied to a cause.

    A row for every version whose counts changed; a bot whose number alone changed has one for its
    newest version that was ever rated.
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
        if bot not in covered and before.number(bot) != after.number(bot)
    }
    for version in sorted(changed):
        counts = after.counts.get(version, NO_GAMES)
        yield RatingAdjustment(
            version_id=version,
            before=before.number(bots[version]),
            after=after.number(bots[version]),
            **counts._asdict(),
        )


def _place(match: Match) -> int:
    if match.finish_number is None:
        raise ValueError(f"match {match} has no place in the order of rating")
    return match.finish_number


def _event(
    match: Match, share: EntrantScore, before: Mapping[int, float], games_before: int
) -> RatingEvent:
    expected, score = share.expected(before), share.score
    number, k = before[share.bot_id], elo.k_factor(games_before)
    points = [game.points for game in share.games]
    wins, draws = points.count(WIN), points.count(DRAW)
    return RatingEvent(
        ladder=match.ladder,
        match=match,
        version_id=share.version_id,
        finish_number=_place(match),
        before=number,
        after=elo.updated(number, expected=expected, score=score, k=k),
        expected=expected,
        score=score,
        k=k,
        games_before=games_before,
        wins=wins,
        draws=draws,
        losses=len(points) - wins - draws,
    )
