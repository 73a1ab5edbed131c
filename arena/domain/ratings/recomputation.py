"""A whole ladder made again from its matches, annulments and seasons, and compared."""

import itertools
from collections.abc import Iterator

from django.db import transaction
from django.db.models import F, Q

from arena.domain.ratings import differences, intervals, rating_table, scores, seasons
from arena.domain.ratings.differences import Difference
from arena.domain.ratings.rating_table import NO_GAMES, RatingTable
from arena.models import (
    Annulment,
    Entrant,
    Ladder,
    Match,
    RatingAdjustment,
    RatingEvent,
    Season,
)

OF_AN_EVENT = (
    "ladder_id", "finish_number", "before", "after", "expected", "score", "k", "games_before",
    "wins", "draws", "losses",
)  # fmt: skip
OF_AN_ADJUSTMENT = (
    "ladder_id", "annulment_id", "season_id", "before", "after", "wins", "draws", "losses",
)  # fmt: skip
OF_A_STANDING = ("rank", "version_id", "rating", "games", "wins", "draws", "losses")
OF_A_FIT = ("estimate", "estimate_low", "estimate_high")

Turn = Annulment | Season


class Recomputation:
    """One run over a ladder; `book` is where it stands, `start` where the season began."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder
        self.book = RatingTable()
        self.start = RatingTable()
        self.season_number = 1
        self.rated = 0
        self.turns: list[int] = []

    def run(self) -> list[Difference]:
        """Return every difference. The ladder is locked only for what came in meanwhile."""
        self.ladder.refresh_from_db()
        found = list(self._advance(self.ladder.next_finish_number))
        with transaction.atomic():
            self.ladder = Ladder.objects.select_for_update(no_key=True).get(pk=self.ladder.pk)
            found.extend(self._advance(self.ladder.next_finish_number))
            found.extend(self._compare_order())
            found.extend(self._compare_entrants())
        return found

    def _advance(self, until: int) -> Iterator[Difference]:
        """Go on to all that is before a place. Nothing new can come in there."""
        for turn in self._turns_before(until):
            place = _place(turn)
            yield from self._play(place)
            if isinstance(turn, Season):
                yield from self._end_season(turn)
            else:
                yield from self._annul(turn)
            self.turns.append(place)
        yield from self._play(until)

    def _turns_before(self, until: int) -> list[Turn]:
        turns: list[Turn] = [
            *self.ladder.annulments.filter(finish_number__gt=self.book.place),
            *self.ladder.seasons.filter(last_finish_number__gt=self.book.place),
        ]
        return sorted((turn for turn in turns if _place(turn) < until), key=_place)

    def _play(self, until: int) -> Iterator[Difference]:
        rows = rating_table.rated_matches(ladder=self.ladder, after=self.book.place, until=until)
        for match in rows.prefetch_related("rating_events").iterator(chunk_size=rating_table.CHUNK):
            match.ladder = self.ladder
            parts = scores.of_match(match=match)
            computed = {event.version_id: event for event in self.book.rate(match, parts)}
            stored = {event.version_id: event for event in match.rating_events.all()}
            where = f"match {match.public_id}, version"
            yield from differences.of_rows(where, stored, computed, OF_AN_EVENT)
            points = {share.position: share.points for share in parts}
            for entrant in match.entrants.all():
                expected = {"points": points[entrant.position]}
                here = f"{where} {entrant.version_id}"
                yield from differences.of_values(here, entrant, expected)
            self.rated += 1

    def _annul(self, annulment: Annulment) -> Iterator[Difference]:
        """Take the book that the season gives without what was annulled up to here."""
        place = annulment.finish_number
        again = self.start.copy()
        left = rating_table.rated_matches(
            ladder=self.ladder, after=again.place, until=place, annulled_until=place
        )
        rating_table.replay(book=again, matches=left)
        again.bots, again.place = self.book.bots, place
        yield from self._compare_adjustments(again, annulment)
        self.book = again

    def _end_season(self, season: Season) -> Iterator[Difference]:
        place = season.last_finish_number
        where = f"season {season.number}"
        numbers = {"number": self.season_number, "first_finish_number": self.start.place + 1}
        yield from differences.of_values(where, season, numbers)
        yield from self._compare_archive(season)
        after = self.book.copy()
        after.reset(place=place)
        yield from self._compare_adjustments(after, season)
        self.book, self.start = after, after.copy()
        self.season_number += 1

    def _compare_adjustments(self, after: RatingTable, turn: Turn) -> Iterator[Difference]:
        computed = {row.version_id: row for row in rating_table.adjustments(self.book, after)}
        for row in computed.values():
            row.ladder = self.ladder
            row.season = turn if isinstance(turn, Season) else None
            row.annulment = turn if isinstance(turn, Annulment) else None
        rows = self.ladder.rating_adjustments.filter(finish_number=_place(turn))
        stored = {row.version_id: row for row in rows}
        where = f"adjustment {_place(turn)} of version"
        yield from differences.of_rows(where, stored, computed, OF_AN_ADJUSTMENT)

    def _compare_archive(self, season: Season) -> Iterator[Difference]:
        fitted = intervals.at(ladder=self.ladder, place=season.last_finish_number)
        rows = seasons.archive(book=self.book, fitted=fitted)
        for row in rows:
            row.season = season
        computed = {row.bot_id: row for row in rows}
        stored = {row.bot_id: row for row in season.standings.all()}
        where = f"season {season.number}, bot"
        yield from differences.of_rows(where, stored, computed, (*OF_A_STANDING, "tie_band"))
        for bot in stored.keys() & computed.keys():
            values = {name: getattr(computed[bot], name) for name in OF_A_FIT}
            yield from differences.of_fits(f"{where} {bot}", stored[bot], values)

    def _compare_order(self) -> Iterator[Difference]:
        """Find what is out of order: a place that nothing or something foreign has."""
        places = {
            "season_number": self.season_number,
            "next_finish_number": self.rated + len(self.turns) + 1,
        }
        yield from differences.of_values("ladder", self.ladder, places)
        ours = Q(match__ladder=self.ladder, match__finish_number__isnull=False)
        for event in RatingEvent.objects.filter(ladder=self.ladder).exclude(ours):
            yield Difference(f"event {event.pk}", str(event), "nothing")
        stray = RatingAdjustment.objects.filter(ladder=self.ladder)
        for row in stray.exclude(finish_number__in=self.turns):
            yield Difference(f"adjustment {row.pk}", str(row), "nothing")
        wrong = ~Q(annulment__ladder=F("ladder")) | Q(
            annulment__finish_number__lt=F("finish_number")
        )
        annulled = Match.objects.filter(ladder=self.ladder, annulment__isnull=False)
        for match in annulled.filter(wrong):
            yield Difference(f"match {match}", "annulled elsewhere", "as it was")

    def _compare_entrants(self) -> Iterator[Difference]:
        rows = Entrant.objects.filter(ladder=self.ladder).select_related("bot__owner")
        entrants = {entrant.bot_id: entrant for entrant in rows}
        for bot in self.book.numbers.keys() - entrants.keys():
            yield Difference(f"bot {bot}", "no entrant", str(self.book.numbers[bot]))
        for bot, entrant in entrants.items():
            counts = self.book.counts.get(entrant.version_id, NO_GAMES)
            computed = {"rating": self.book.number(bot), **counts._asdict()}
            yield from differences.of_values(f"entrant {entrant.bot}", entrant, computed)
        yield from self._compare_estimates(
            [entrant for entrant in entrants.values() if entrant.estimate is not None]
        )

    def _compare_estimates(self, entrants: list[Entrant]) -> Iterator[Difference]:
        if not entrants:
            return
        fitted = intervals.at(ladder=self.ladder, place=self.ladder.fitted_finish_number)
        for entrant in entrants:
            computed = intervals.columns(fitted, entrant.version_id)
            where = f"entrant {entrant.bot}"
            yield from differences.of_fits(where, entrant, computed)
        entrants.sort(key=lambda entrant: entrant.estimate or 0.0, reverse=True)
        for above, below in itertools.pairwise(entrants):
            if below.active and above.active and (below.tie_band or 0) < (above.tie_band or 0):
                yield Difference(
                    f"entrant {below.bot}, tie_band",
                    str(below.tie_band),
                    f"at least {above.tie_band}",
                )


def _place(turn: Turn) -> int:
    return turn.last_finish_number if isinstance(turn, Season) else turn.finish_number
