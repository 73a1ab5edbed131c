"""Recompute a whole ladder from its matches, annulments and seasons, and compare it."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F, Model, Q

from arena.domain.ratings import fit, rating_table, refits, scores, seasons
from arena.domain.ratings.rating_table import NO_GAMES, RatingTable
from arena.models import Annulment, Entrant, Ladder, Match, RatingAdjustment, RatingEvent, Season

FIT_TOLERANCE = 0.01  # on the Elo scale: a fit is iterative, and machines round differently
UNLOCKED_PASSES = 2  # the second one takes what finished during the first, so the lock is short
OF_AN_EVENT = (
    "ladder_id", "finish_number", "before", "after", "expected", "score", "k", "games_before",
    "wins", "draws", "losses",
)  # fmt: skip
OF_AN_ADJUSTMENT = (
    "ladder_id", "annulment_id", "season_id", "before", "after", "wins", "draws", "losses",
)  # fmt: skip
OF_A_STANDING = ("version_id", "elo", "games", "wins", "draws", "losses")
RATED = ("rank", "tie_band", "opponents")  # what depends on the model of the ratings
OF_A_FIT = ("rating", "rating_low", "rating_high")

Turn = Annulment | Season


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored value that differs from the recomputed one. `where` names the row."""

    where: str
    stored: str
    computed: str

    def __str__(self) -> str:
        return f"{self.where}: stored {self.stored}, computed {self.computed}"


def rerate(*, ladder: Ladder) -> list[Difference]:
    """Recompute a ladder from its matches. Return every difference from what is stored.

    Annulments and ends of seasons take effect at their finish numbers. Matches may finish
    meanwhile: the ladder is locked only while the last of them and the entrants are read.
    """
    return Recomputation(ladder).run()


class Recomputation:
    """One recomputation. `table` is its current state, `start` the state at the season's start."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder
        self.table = RatingTable()
        self.start = RatingTable()
        self.season_number = 1
        self.rated = 0
        self.turns: list[int] = []

    def run(self) -> list[Difference]:
        """Return every difference. Lock the ladder only for the matches that finished meanwhile."""
        found: list[Difference] = []
        for _ in range(UNLOCKED_PASSES):
            self.ladder.refresh_from_db()
            found.extend(self._advance(self.ladder.next_finish_number))
        with transaction.atomic():
            self.ladder = Ladder.objects.select_for_update(no_key=True).get(pk=self.ladder.pk)
            found.extend(self._advance(self.ladder.next_finish_number))
            found.extend(self._compare_order())
            rows = Entrant.objects.filter(ladder=self.ladder).select_related("bot__owner")
            entrants = {entrant.bot_id: entrant for entrant in rows}
        found.extend(self._compare_entrants(entrants))
        return found

    def _advance(self, until: int) -> Iterator[Difference]:
        """Process everything with a finish number below `until`. That part cannot grow any more."""
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
            *self.ladder.annulments.filter(finish_number__gt=self.table.place),
            *self.ladder.seasons.filter(last_finish_number__gt=self.table.place),
        ]
        return sorted((turn for turn in turns if _place(turn) < until), key=_place)

    def _play(self, until: int) -> Iterator[Difference]:
        rows = rating_table.rated_matches(ladder=self.ladder, after=self.table.place, until=until)
        for match in rows.prefetch_related("rating_events").iterator(chunk_size=rating_table.CHUNK):
            match.ladder = self.ladder
            parts = scores.of_match(match=match)
            computed = {event.version_id: event for event in self.table.rate(match, parts)}
            stored = {event.version_id: event for event in match.rating_events.all()}
            where = f"match {match.public_id}, version"
            yield from _row_differences(where, stored, computed, OF_AN_EVENT)
            points = {part.position: part.points for part in parts}
            for entrant in match.entrants.all():
                expected = {"points": points[entrant.position]}
                here = f"{where} {entrant.version_id}"
                yield from _value_differences(here, entrant, expected)
            self.rated += 1

    def _annul(self, annulment: Annulment) -> Iterator[Difference]:
        """Replay the season without the matches that are annulled up to here."""
        place = annulment.finish_number
        again = self.start.copy()
        rows = rating_table.rated_matches(
            ladder=self.ladder, after=again.place, until=place, annulled_until=place
        )
        rating_table.replay(table=again, matches=rows)
        again.bots, again.place = self.table.bots, place
        yield from self._compare_adjustments(again, annulment)
        self.table = again

    def _end_season(self, season: Season) -> Iterator[Difference]:
        place = season.last_finish_number
        where = f"season {season.number}"
        numbers = {"number": self.season_number, "first_finish_number": self.start.place + 1}
        yield from _value_differences(where, season, numbers)
        yield from self._compare_archive(season)
        after = self.table.copy()
        after.reset(place=place)
        yield from self._compare_adjustments(after, season)
        self.table, self.start = after, after.copy()
        self.season_number += 1

    def _compare_adjustments(self, after: RatingTable, turn: Turn) -> Iterator[Difference]:
        computed = {row.version_id: row for row in rating_table.adjustments(self.table, after)}
        for row in computed.values():
            row.ladder = self.ladder
            row.season = turn if isinstance(turn, Season) else None
            row.annulment = turn if isinstance(turn, Annulment) else None
        rows = self.ladder.rating_adjustments.filter(finish_number=_place(turn))
        stored = {row.version_id: row for row in rows}
        where = f"adjustment {_place(turn)} of version"
        yield from _row_differences(where, stored, computed, OF_AN_ADJUSTMENT)

    def _compare_archive(self, season: Season) -> Iterator[Difference]:
        if seasons.is_pending(season=season):
            return
        fitted = refits.at(ladder=self.ladder, place=season.last_finish_number)
        rows = seasons.standings(table=self.table, fitted=fitted)
        for row in rows:
            row.season = season
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
        yield from _row_differences(where, stored, computed, (*OF_A_STANDING, *RATED))
        for bot in stored.keys() & computed.keys():
            values = {name: getattr(computed[bot], name) for name in OF_A_FIT}
            yield from _fit_differences(f"{where} {bot}", stored[bot], values)

    def _compare_order(self) -> Iterator[Difference]:
        """Find finish numbers that belong to nothing, or to a row of another ladder."""
        places = {
            "season_number": self.season_number,
            "next_finish_number": self.rated + len(self.turns) + 1,
        }
        yield from _value_differences("ladder", self.ladder, places)
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

    def _compare_entrants(self, entrants: Mapping[int, Entrant]) -> Iterator[Difference]:
        for bot in self.table.ratings.keys() - entrants.keys():
            yield Difference(f"bot {bot}", "no entrant", str(self.table.ratings[bot]))
        for bot, entrant in entrants.items():
            counts = self.table.counts.get(entrant.version_id, NO_GAMES)
            computed = {"elo": self.table.rating(bot), **counts._asdict()}
            yield from _value_differences(f"entrant {entrant.bot}", entrant, computed)
        yield from self._compare_estimates(
            [entrant for entrant in entrants.values() if entrant.rating is not None]
        )

    def _compare_estimates(self, entrants: list[Entrant]) -> Iterator[Difference]:
        if not entrants:
            return
        fitted = refits.at(ladder=self.ladder, place=self.ladder.fitted_finish_number)
        for entrant in entrants:
            computed = refits.columns(fitted, entrant.version_id)
            where = f"entrant {entrant.bot}"
            yield from _fit_differences(where, entrant, computed)
        in_bands = [entrant for entrant in entrants if entrant.active and entrant.tie_band]
        in_bands.sort(key=lambda entrant: entrant.rating or 0.0, reverse=True)
        for above, below in itertools.pairwise(in_bands):
            if (below.tie_band or 0) < (above.tie_band or 0):
                yield Difference(
                    f"entrant {below.bot}, tie_band",
                    str(below.tie_band),
                    f"at least {above.tie_band}",
                )


def _place(turn: Turn) -> int:
    return turn.last_finish_number if isinstance(turn, Season) else turn.finish_number


def _row_differences(
    where: str, stored: Mapping[int, Model], computed: Mapping[int, Model], names: Sequence[str]
) -> Iterator[Difference]:
    """Compare rows by id. A missing row and a surplus row are differences."""
    for key in sorted(stored.keys() | computed.keys()):
        here = f"{where} {key}"
        if key not in stored:
            yield Difference(here, "nothing", str(computed[key]))
        elif key not in computed:
            yield Difference(here, str(stored[key]), "nothing")
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
