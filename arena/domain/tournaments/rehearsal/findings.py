"""The findings of a rehearsal, read from its rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from arena.domain.formats.types import Unplayable
from arena.domain.tournaments.setup import durations, terms, timetables
from arena.domain.tournaments.setup.durations import DurationEstimate
from arena.models import (
    Game,
    Match,
    MatchQuerySet,
    Tournament,
    TournamentEntrantStatus,
    TournamentRound,
)


@dataclass(frozen=True, slots=True)
class Sight:
    """A situation that a rehearsal should show. `round` is the first round that showed it.

    `can_be` is False if the format has no such situation.
    """

    code: str
    round: int | None
    can_be: bool = True

    @property
    def seen(self) -> bool:
        """Whether the rehearsal showed it."""
        return self.round is not None


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of a rehearsal, and how long it took.

    `lowered` maps options of the format to their values in the original and in the rehearsal.
    `real` estimates the duration of the original from the matches here that nobody forfeited. It is
    None before the first such match, or if the original cannot be played yet.
    """

    sights: tuple[Sight, ...]
    rounds: int
    matches: int
    games: int
    failed: int
    took: timedelta | None
    game_s: float | None
    lowered: dict[str, tuple[int, int]]
    real: DurationEstimate | None

    @property
    def complete(self) -> bool:
        """Whether the rehearsal showed all that is possible."""
        return all(sight.seen or not sight.can_be for sight in self.sights)


def report(*, rehearsal: Tournament) -> Report:
    """Return the findings of a rehearsal so far."""
    rows = Match.objects.of_tournament(rehearsal)
    games = Game.objects.filter(match__in=rows, status=Game.Status.FINISHED)
    durations = [each for each in games.values_list("duration_ms", flat=True) if each]
    return Report(
        sights=(
            Sight("bye", _round_of_bye(rehearsal), _has_byes(rehearsal)),
            Sight("tie", _round_of_tie(rehearsal)),
            Sight("crash", _round_of_crash(games)),
            Sight("withdrawal", _round_of_withdrawal(rehearsal)),
        ),
        rounds=rehearsal.rounds.count(),
        matches=rows.finished().count(),
        games=games.count(),
        failed=rows.filter(status=Match.Status.FAILED).count(),
        took=_took(rehearsal),
        game_s=sum(durations) / len(durations) / 1000 if durations else None,
        lowered=_lowered(rehearsal),
        real=_real(rehearsal, rows),
    )


def _round_of_bye(rehearsal: Tournament) -> int | None:
    rows = TournamentRound.objects.filter(tournament=rehearsal, pairings__decision="bye")
    return _first(rows.values_list("number", flat=True))


def _has_byes(rehearsal: Tournament) -> bool:
    """Return whether the format has byes with this number of entrants."""
    entrants = rehearsal.entrants.count()
    try:
        _setup, outline = terms.outline(tournament=rehearsal, entrants=entrants)
    except Unplayable:
        return False
    return any(each.byes for each in outline)


def _round_of_tie(rehearsal: Tournament) -> int | None:
    """Return the first round with a match that nobody won alone, or None."""
    rows = Match.objects.of_tournament(rehearsal).finished().prefetch_related("entrants")
    level = [
        row.pairing.round.number
        for row in rows.select_related("pairing__round")
        if row.pairing and _is_level([entrant.points or 0.0 for entrant in row.entrants.all()])
    ]
    return min(level, default=None)


def _is_level(points: Sequence[float]) -> bool:
    return points.count(max(points)) > 1


def _round_of_crash(games: QuerySet[Game]) -> int | None:
    rows = games.exclude(Q(fault="") | Q(fault="platform"))
    return _first(rows.values_list("match__pairing__round__number", flat=True))


def _round_of_withdrawal(rehearsal: Tournament) -> int | None:
    rows = rehearsal.entrants.filter(status=TournamentEntrantStatus.WITHDRAWN)
    return _first(rows.values_list("until_round", flat=True))


def _first(numbers: Iterable[int | None]) -> int | None:
    return min((number for number in numbers if number is not None), default=None)


def _took(rehearsal: Tournament) -> timedelta | None:
    if rehearsal.started_at is None:
        return None
    return (rehearsal.completed_at or timezone.now()) - rehearsal.started_at


def _lowered(rehearsal: Tournament) -> dict[str, tuple[int, int]]:
    original = rehearsal.rehearsal_of
    if original is None:
        return {}
    now = rehearsal.format_options
    return {
        name: (value, now[name])
        for name, value in original.format_options.items()
        if name in now and now[name] != value
    }


def _real(rehearsal: Tournament, rows: MatchQuerySet) -> DurationEstimate | None:
    original = rehearsal.rehearsal_of
    clean = rows.finished().exclude(games__fault__gt="")
    times = clean.annotate(took=F("finished_at") - F("started_at")).values_list("took", flat=True)
    times_s = [took.total_seconds() for took in times if took]
    if original is None or not times_s:
        return None
    try:
        found = durations.estimate(tournament=original)
        _setup, outline = terms.outline(tournament=original, entrants=_entrants(original))
    except Unplayable:
        return None
    if not found.runners:
        return found
    likely_s, slow_s = timetables.spread(
        rounds=[each.pairings * original.matches_per_pairing for each in outline],
        times_s=times_s,
        runners=found.runners,
        slow=durations.SLOW,
        rng=Random(found.matches),  # noqa: S311 - a repeatable estimate
    )
    return replace(found, likely_s=likely_s, slow_s=slow_s, measured=True)


def _entrants(original: Tournament) -> int:
    """Return the number of entered entrants, or the maximum while nobody is entered."""
    inside = original.entrants.filter(status=TournamentEntrantStatus.ENTERED).count()
    return inside or original.max_entrants
