"""How long a tournament will take, estimated from the durations of recent matches."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from random import Random
from statistics import fmean

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain.queue import fleet
from arena.domain.tournaments.setup import terms
from arena.models import MatchKind, Tournament, TournamentEntrantStatus

SLOW = 0.9  # the share of tournaments that are over within `slow_s`
# A small sample underestimates long durations. With 50 times of a skewed distribution, the 90th
# percentile of the draws covers 84 % of tournaments, and the 95th covers 90 %.
_RECKONED = 0.95
MOST_DRAWN = 60_000  # durations of matches drawn for an estimate
LEAST_TRIES, MOST_TRIES = 20, 1000


@dataclass(frozen=True, slots=True)
class DurationEstimate:
    """The duration in seconds: `likely_s` on average, within `slow_s` in nine cases of ten.

    Both are None if no runner is at work. `measured` is False if no match of the ladder was timed:
    the estimate then uses the durations of other matches, or the guess of `fleet`. It assumes that
    the runners play nothing else, and leaves out matches that break ties.
    """

    likely_s: float | None
    slow_s: float | None
    matches: int
    games: int
    runners: int
    measured: bool

    @property
    def note(self) -> str:
        """The basis of the numbers, and what to do if there are none."""
        if self.runners == 0:
            return _(
                "No runner is working, so no match would be played. The operator of this site "
                "has to start one."
            )
        if not self.measured:
            return _(
                "This is a guess, because no match of this kind was timed here yet. A rehearsal"
                " measures it."
            )
        return ngettext(
            "This assumes %(runners)d runner that plays nothing else. Matches of ladders and of "
            "other tournaments make it longer.",
            "This assumes %(runners)d runners that play nothing else. Matches of ladders and of "
            "other tournaments make it longer.",
            self.runners,
        ) % {"runners": self.runners}


def estimate(*, tournament: Tournament, entrants: int | None = None) -> DurationEstimate:
    """Return how long a tournament with `entrants` entrants takes. Raise Unplayable.

    Without `entrants`, count the entered ones, and those who left after the freeze, because they
    may have left in a hidden round. The least is `min_entrants`. While nobody is entered, take
    `max_entrants`. Rounds follow each other, and the runners share the matches of a round. The
    random draws are the same every time.
    """
    count = _entrants(tournament) if entrants is None else entrants
    setup, outline = terms.outline(tournament=tournament, entrants=count)
    rounds = [row.pairings * tournament.matches_per_pairing for row in outline]
    matches = sum(rounds)
    games = sum(row.pairings for row in outline) * setup.games
    took = fleet.durations()
    measured = any(
        kind[0] == tournament.ladder_id and times for kind, times in took.by_kind.items()
    )
    runners = fleet.look(waited_s=fleet.longest_wait_s()).runners
    if not runners:
        return DurationEstimate(None, None, matches, games, runners, measured)
    times_s = took.of((tournament.ladder_id, MatchKind.TOURNAMENT))
    rng = Random(matches)  # noqa: S311 - a repeatable estimate
    likely_s, slow_s = spread(
        rounds=rounds, times_s=times_s, runners=runners, slow=_RECKONED, rng=rng
    )
    return DurationEstimate(likely_s, slow_s, matches, games, runners, measured)


def round_s(times_s: Iterable[float], *, runners: int) -> float:
    """Return when the last match of a round ends. The first free runner takes each match."""
    free = [0.0] * runners
    heapify(free)
    for takes_s in times_s:
        heapreplace(free, free[0] + takes_s)
    return max(free)


def spread(
    *, rounds: Sequence[int], times_s: Sequence[float], runners: int, slow: float, rng: Random
) -> tuple[float, float]:
    """Return the average duration, and the duration that the share `slow` of cases does not exceed.

    `rounds` has the number of matches of each round. `times_s` has the measured durations of
    matches, at least one. The function simulates the rounds many times with durations drawn from
    the measured ones. Because there are few of those, each simulation first resamples them (the
    bootstrap of Efron, Annals of Statistics 7, 1979).
    """
    tries = max(LEAST_TRIES, min(MOST_TRIES, MOST_DRAWN // max(1, sum(rounds))))
    totals = []
    for _try in range(tries):
        known = rng.choices(times_s, k=len(times_s))
        totals.append(
            sum(round_s(rng.choices(known, k=matches), runners=runners) for matches in rounds)
        )
    totals.sort()
    return fmean(totals), totals[min(tries - 1, int(slow * tries))]


def _entrants(tournament: Tournament) -> int:
    if not tournament.pk:
        return tournament.max_entrants
    is_in = Q(status=TournamentEntrantStatus.ENTERED) | Q(seed__isnull=False)  # also those who left
    inside = tournament.entrants.filter(is_in).count()
    return max(inside, tournament.min_entrants) if inside else tournament.max_entrants
