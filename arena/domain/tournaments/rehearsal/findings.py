"""The findings of a rehearsal, read from its rows."""

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from django.db.models import F, Min, Q, QuerySet
from django.utils import timezone

from arena.domain.formats.types import Unplayable
from arena.domain.tournaments.setup import durations, terms
from arena.domain.tournaments.setup.durations import DurationEstimate
from arena.models import Game, Match, MatchQuerySet, Tournament, TournamentEntrantStatus


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
    """The findings of a rehearsal, and how long it took, until now if it still runs.

    `lowered` maps options of the format to their values in the original and in the rehearsal.
    `real` estimates the duration of the original from the matches here that nobody forfeited. It is
    None before the first such match, or if the original cannot be played yet.
    """

    sights: tuple[Sight, ...]
    rounds: int
    matches: int
    games: int
    failed: int
    took_s: float | None
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
    byes = rehearsal.rounds.filter(pairings__decision="bye")
    crashes = games.exclude(Q(fault="") | Q(fault="platform"))
    withdrawals = rehearsal.entrants.filter(status=TournamentEntrantStatus.WITHDRAWN)
    times_ms = [
        duration_ms for duration_ms in games.values_list("duration_ms", flat=True) if duration_ms
    ]
    began, end = rehearsal.started_at, rehearsal.completed_at or timezone.now()
    # The first round with a match that nobody won alone, or None.
    level = []
    for row in rows.finished().select_related("pairing__round").prefetch_related("entrants"):
        points = [entrant.points or 0.0 for entrant in row.entrants.all()]
        if row.pairing and points.count(max(points)) > 1:
            level.append(row.pairing.round.number)
    return Report(
        sights=(
            Sight("bye", _first(byes, "number"), _has_byes(rehearsal)),
            Sight("tie", min(level, default=None)),
            Sight("crash", _first(crashes, "match__pairing__round__number")),
            Sight("withdrawal", _first(withdrawals, "until_round")),
        ),
        rounds=rehearsal.rounds.count(),
        matches=rows.finished().count(),
        games=games.count(),
        failed=rows.filter(status=Match.Status.FAILED).count(),
        took_s=(end - began).total_seconds() if began else None,
        game_s=sum(times_ms) / len(times_ms) / 1000 if times_ms else None,
        lowered=_lowered(rehearsal),
        real=_duration_of_original(rehearsal, rows),
    )


def _first(rows: QuerySet[Any], field: str) -> int | None:
    """Return the smallest value of a field, or None without rows."""
    first: int | None = rows.aggregate(first=Min(field))["first"]
    return first


def _has_byes(rehearsal: Tournament) -> bool:
    """Return whether the format has byes with this number of entrants."""
    entrants = rehearsal.entrants.count()
    try:
        _setup, outline = terms.outline(tournament=rehearsal, entrants=entrants)
    except Unplayable:
        return False
    return any(row.byes for row in outline)


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


def _duration_of_original(rehearsal: Tournament, rows: MatchQuerySet) -> DurationEstimate | None:
    original = rehearsal.rehearsal_of
    clean = rows.finished().exclude(games__fault__gt="")
    times = clean.annotate(took=F("finished_at") - F("started_at")).values_list("took", flat=True)
    times_s = [took.total_seconds() for took in times if took]
    if original is None or not times_s:
        return None
    inside = original.entrants.entered().count()
    try:
        estimate = durations.estimate(tournament=original)
        _setup, outline = terms.outline(
            tournament=original, entrants=inside or original.max_entrants
        )
    except Unplayable:
        return None
    if not estimate.runners:
        return estimate
    likely_s, slow_s = durations.spread(
        rounds=[row.pairings * original.matches_per_pairing for row in outline],
        times_s=times_s,
        runners=estimate.runners,
        slow=durations.SLOW,
        rng=Random(estimate.matches),  # noqa: S311 - a repeatable estimate
    )
    return replace(estimate, likely_s=likely_s, slow_s=slow_s, measured=True)
